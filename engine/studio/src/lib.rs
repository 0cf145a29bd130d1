//! Roles, roster, board, feedback and loops. An empty room so far.
