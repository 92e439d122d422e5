"""From a bare checkout to an open JupyterLab: the course's own .venv, the learner's copies, the server."""
