package dev.fusebox.config;

/// Where tokens and secrets are stored. Immutable.
public enum CredentialStore {
    /// Files that only this user can read.
    FILE,
    /// The keyring of the operating system.
    KEYRING,
    /// A program that the operator provides.
    COMMAND
}
