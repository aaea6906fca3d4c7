"""What people see, hear and read of Barney Miller."""
