"""What pyproject.toml cannot say: fixtures/ ships inside the package, and editable installs carry data files.

Everything else is declared in pyproject.toml.
"""

from setuptools import Distribution, find_packages, setup


class CourseDistribution(Distribution):
    """A distribution whose editable install also carries its data files (the JupyterLab settings)."""

    def has_data(self):
        # setuptools 84 asks for `has_data` before it installs the data files of an editable wheel,
        # but its Distribution knows only `has_data_files`: without this line they are left out.
        return self.has_data_files()


setup(
    distclass=CourseDistribution,
    packages=[*find_packages(include=["autograder*"]), "autograder.fixtures"],
    package_dir={"autograder.fixtures": "fixtures"},
    package_data={
        "autograder.fixtures": ["*.json"],
        "autograder.setup": ["jupyter/*/*/*.json"],
        "autograder": ["locale/*/LC_MESSAGES/*.mo"],
    },
)
