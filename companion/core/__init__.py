"""What a game is made of: prompts, answers, facts and the fold, with the chance behind them.

The standard library only; nothing here draws, speaks, stores, or knows the time.
"""
