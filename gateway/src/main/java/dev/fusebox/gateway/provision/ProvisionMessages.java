package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.ToolSearch;
import java.util.List;
import java.util.stream.Collectors;

/// Why nothing came of a wish, in words that its caller can act upon. Pure functions.
final class ProvisionMessages {
    /// So many names fit into a sentence.
    private static final int MOST = 3;

    private ProvisionMessages() {}

    /// @param here tools that may do it, though none is likely to
    /// @param registry why nothing is found elsewhere
    static String nothing(List<ToolSearch.Match> here, String registry) {
        return (here.isEmpty() ? "no tool fits" : nearest(here)) + ", and " + registry
                + "; if nothing else helps, tell the user which tool is missing";
    }

    /// Empty if all have said what they have.
    ///
    /// @param silent servers that have not
    static String unknown(List<String> silent) {
        if (silent.isEmpty()) {
            return "";
        }
        String names = silent.stream().limit(MOST).collect(Collectors.joining(", "));
        return "Ask again in a few seconds: it is not known yet what " + names
                + (silent.size() > MOST
                        ? " and " + (silent.size() - MOST) + " more have"
                        : silent.size() > 1 ? " have" : " has");
    }

    /// Empty if there is none.
    static String nearest(List<ToolSearch.Match> here) {
        String names = here.stream()
                .limit(MOST)
                .map(match -> match.tool().server() + "/" + match.tool().name())
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "no tool is likely to do it; the nearest are " + names + " (see mcp_discover)";
    }

    /// @param likely how many of them are likely to be meant, and may be added
    static String notAdded(List<RegistryMatch> matches, int likely) {
        if (likely > 1) {
            return "nothing was added: " + likely + " servers may be meant; say more of what you want";
        }
        return matches.stream()
                .filter(RegistryMatch::isAutomatic)
                .findFirst()
                .map(match -> "nothing was added: " + match.proposal().entry().name()
                        + " may be, but only from a confidence of " + ProvisionSearch.LIKELY
                        + " on; if it is what you want, say what for in words like those of its description")
                .orElse("nothing was added: no match is trusted by the operator; a person may add one by its"
                        + " installCommand");
    }
}
