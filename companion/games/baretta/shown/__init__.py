"""What people see, hear and read of Baretta."""
