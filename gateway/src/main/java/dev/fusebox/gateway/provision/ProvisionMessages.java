package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.ToolSearch;
import java.util.List;
import java.util.stream.Collectors;

/// Messages for requests without a result, with what the caller can do. Pure functions.
final class ProvisionMessages {
    /// More names do not fit into a sentence.
    private static final int MAX = 3;

    private ProvisionMessages() {}

    /// @param here possible tools, none of them likely
    /// @param registry why the registry has no result
    static String nothing(List<ToolSearch.Match> here, String registry) {
        return (here.isEmpty() ? "no tool matches" : nearest(here)) + ", and " + registry
                + "; if no other tool helps, tell the user which one is missing";
    }

    /// Empty if all servers have listed their tools.
    ///
    /// @param silent servers that have not
    static String unknown(List<String> silent) {
        if (silent.isEmpty()) {
            return "";
        }
        String names = silent.stream().limit(MAX).collect(Collectors.joining(", "));
        String more = silent.size() > MAX ? " and " + (silent.size() - MAX) + " more" : "";
        return "Ask again in a few seconds: the tools of " + names + more + " are not known yet";
    }

    /// Empty if there are none.
    static String nearest(List<ToolSearch.Match> here) {
        String names = here.stream()
                .limit(MAX)
                .map(match -> match.tool().server() + "/" + match.tool().name())
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "no tool is likely to match; the closest are " + names + " (see mcp_discover)";
    }

    /// @param likely the number of likely matches that may be added
    static String notAdded(List<RegistryMatch> matches, int likely) {
        if (likely > 1) {
            return "nothing was added: " + likely + " servers match; describe the intent more precisely";
        }
        return matches.stream()
                .filter(RegistryMatch::isAutomatic)
                .findFirst()
                .map(match -> "nothing was added: " + match.proposal().entry().name()
                        + " is added only at a confidence of at least " + ProvisionSearch.LIKELY
                        + "; if it is the right one, describe the intent in words of its description")
                .orElse("nothing was added: no match is trusted by the operator; the user may add one with its"
                        + " installCommand");
    }
}
