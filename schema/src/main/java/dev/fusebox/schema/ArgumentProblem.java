package dev.fusebox.schema;

/// One problem of a call's arguments.
///
/// @param pointer the JSON pointer of the value; empty for the arguments as a whole
/// @param message a predicate or a description of what is wrong
public record ArgumentProblem(String pointer, String message) {
    @Override
    public String toString() {
        return pointer.isEmpty() ? message : pointer + ": " + message;
    }
}
