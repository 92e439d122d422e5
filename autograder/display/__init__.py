"""What people look at: conversations as tables, refusals as the API words them."""
