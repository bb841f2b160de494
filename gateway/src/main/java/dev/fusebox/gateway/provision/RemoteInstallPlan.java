package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.provision.RegistryEntry.Input;
import dev.fusebox.gateway.provision.RegistryEntry.Remote;
import dev.fusebox.platform.FuseboxCommand;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The installation proposal for a remote server: at most a command for a person, because the service behind an
/// address may change. Pure functions.
final class RemoteInstallPlan {
    private static final Map<String, String> TYPES = Map.of("streamable-http", "http", "sse", "sse");
    private static final String NOTE = "it needs a review: it is a remote service, which may change at any time";

    /// A person cannot review a longer address before running the command that contains it.
    private static final int MAX_LENGTH = 2_000;

    private RemoteInstallPlan() {}

    static InstallProposal of(RegistryEntry entry, String id, Remote remote) {
        String type = TYPES.get(remote.type());
        boolean isReadable =
                remote.headers().stream().allMatch(each -> EntryInputs.isReadable(each) && EntryInputs.isHeader(each));
        if (type == null || !isPlain(remote.url()) || !isReadable) {
            return new InstallProposal(entry, id, null, null, null, "its address or its headers are misleading");
        }
        List<String> command = new ArrayList<>(FuseboxCommand.firstWordsOnFile("add"));
        command.addAll(List.of(id, "--url", remote.url(), "--type", type));
        remote.headers().stream()
                .filter(Input::isRequired)
                .forEach(each -> command.addAll(List.of("--header", header(id, each))));
        String joined = ShellWords.joined(command);
        return joined.length() > InstallPlan.MAX_COMMAND
                ? new InstallProposal(entry, id, null, null, null, "its command is too long to be reviewed")
                : new InstallProposal(entry, id, null, null, joined, NOTE);
    }

    private static String header(String id, Input header) {
        String value = header.text() == null ? "${" + EntryInputs.variable(id, "header", header) + "}" : header.text();
        return header.name() + "=" + value;
    }

    private static boolean isPlain(String url) {
        try {
            URI uri = new URI(url);
            return url.length() <= MAX_LENGTH
                    && "https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null
                    && PlainText.isAscii(url)
                    && url.indexOf('$') < 0;
        } catch (URISyntaxException unreadable) {
            return false;
        }
    }
}
