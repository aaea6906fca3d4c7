"""What lies on the table as one value, and what presses, time and answers do to it.

Pure: no file, socket, clock or hardware. The box carries out the commands that come back.
"""
