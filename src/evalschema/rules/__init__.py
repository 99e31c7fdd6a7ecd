"""What plain schema cannot say, one module a kind."""
