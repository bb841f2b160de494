package dev.fusebox.gateway.share;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a client runs, and what it wants to see. Immutable. `toString` leaves out the values of variables, which
/// may be secrets.
///
/// @param folder its working folder
/// @param variables the variables of its environment that the gateway has asked for, as far as it has them
/// @param expose what it sees; null for what the configuration says
/// @param profile the profile that it chose; null for none
public record ClientPlace(
        String folder,
        Map<String, String> variables,
        @Nullable String expose,
        @Nullable String profile) {
    public ClientPlace {
        variables = Map.copyOf(variables);
    }

    @Override
    public String toString() {
        return "ClientPlace[" + folder + ", " + variables.size() + " variables]";
    }
}
