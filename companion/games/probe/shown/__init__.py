"""What people see, hear and read of Probe."""
