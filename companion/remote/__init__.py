"""The box's side of its connections to programs, phones and computer players.

The page docs/protocol.md defines the messages on these connections.
"""
