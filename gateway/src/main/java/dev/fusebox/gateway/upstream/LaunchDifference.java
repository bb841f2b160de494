package dev.fusebox.gateway.upstream;

import java.util.Collection;
import java.util.List;

/// The reasons why clients of two servers of the same name do not share a process, by name only, because values may
/// be secrets. Immutable.
///
/// @param variables those of the environment of the process that differ, in alphabetical order
/// @param settings the other settings that differ, such as `folder` or `args`
/// @param isInClientFolder whether the process runs in the folder of its client, because the configuration names
/// none
public record LaunchDifference(List<String> variables, List<String> settings, boolean isInClientFolder) {
    /// The working folder, as it is named in [#settings].
    public static final String FOLDER = "folder";

    public LaunchDifference {
        variables = List.copyOf(variables);
        settings = List.copyOf(settings);
    }

    /// The difference if only these settings differ.
    public static LaunchDifference of(Collection<String> settings) {
        return new LaunchDifference(List.of(), List.copyOf(settings), false);
    }

    /// Whether only the folder differs, and is that of the client.
    boolean isClientFolderOnly() {
        return isInClientFolder && variables.isEmpty() && settings.equals(List.of(FOLDER));
    }
}
