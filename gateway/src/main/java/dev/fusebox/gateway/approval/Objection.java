package dev.fusebox.gateway.approval;

/// Why a configuration file is not used, and what to do. Immutable.
///
/// @param cause as what follows the name of the file: "has changed since it was allowed"
/// @param remedy a command and what it does
public record Objection(String cause, String remedy) {
    @Override
    public String toString() {
        return cause + "; " + remedy;
    }
}
