package dev.fusebox.client;

/// The person or program on whose behalf calls are made. Tokens, sessions and cached results of one principal are
/// not used for another. Immutable.
///
/// @param id unique among all principals of a gateway
public record Principal(String id) {
    /// The owner of the gateway, on whose behalf all calls of a local gateway are made.
    public static final Principal OWNER = new Principal("owner");

    public Principal {
        if (id.isBlank()) {
            throw new IllegalArgumentException("the id of a principal must not be blank");
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
