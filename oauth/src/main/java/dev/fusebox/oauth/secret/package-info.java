/// Stores of named secrets: files, the keyring of the system, and a program of the operator.
package dev.fusebox.oauth.secret;
