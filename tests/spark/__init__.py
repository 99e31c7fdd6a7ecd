"""What is run by a real Spark, in a process of its own."""
