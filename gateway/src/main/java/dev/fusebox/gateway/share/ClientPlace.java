package dev.fusebox.gateway.share;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a client runs, and what it wants to see. Immutable. `toString` leaves out the values of variables, which
/// may be secrets.
///
/// @param folder its working folder
/// @param names of the variables that the gateway has asked for
/// @param variables those that its environment has
/// @param expose what it sees; null for what the configuration says
/// @param profile the profile that it chose; null for none
public record ClientPlace(
        String folder,
        List<String> names,
        Map<String, String> variables,
        @Nullable String expose,
        @Nullable String profile) {
    public ClientPlace {
        names = List.copyOf(names);
        variables = Map.copyOf(variables);
    }

    /// Whether the gateway has asked for a variable, which the client then may or may not have.
    public boolean hasSent(String name) {
        return VariableNames.isNamed(names, name);
    }

    @Override
    public String toString() {
        return "ClientPlace[" + folder + ", " + variables.size() + " variables]";
    }
}
