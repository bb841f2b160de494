package dev.fusebox.gateway.approval;

import dev.fusebox.config.ContentCheck;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// The `.mcp.json` of a folder, which may come from an untrusted source. It is used without being named only if
/// this user owns it, no other user may write it or its folder, and this user has allowed its current content.
/// Immutable and thread-safe; blocks on disk access.
///
/// An approval applies to a path, to the target of a link at that path, and to a content. It does not cover the
/// programs that the file names.
public final class ProjectConfig implements ContentCheck {
    /// Far larger than any configuration.
    private static final int MAX_LENGTH = 16 << 20;

    private final Platform platform;
    private final Path file;

    private ProjectConfig(Platform platform, Path file) {
        this.platform = platform;
        this.file = file;
    }

    /// The file at a path, in its real folder if that exists.
    public static ProjectConfig at(Platform platform, Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        try {
            Path folder = absolute.resolveSibling("").toRealPath();
            return new ProjectConfig(platform, folder.resolve(absolute.getFileName()));
        } catch (IOException noFolder) {
            return new ProjectConfig(platform, absolute);
        }
    }

    public Path path() {
        return file;
    }

    /// The approval record, which changes whenever this file is allowed; empty if the environment names no home.
    public Optional<Path> approvalRecord() {
        try {
            return Optional.of(ApprovalStore.of(platform).record(file));
        } catch (IOException noHome) {
            return Optional.empty();
        }
    }

    /// The content. A pipe or a device is not opened.
    ///
    /// @throws IOException if the path cannot be a configuration file
    public byte[] read() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw Files.exists(file)
                    ? new IOException(file + " is not a regular file")
                    : new NoSuchFileException(file.toString());
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MAX_LENGTH + 1);
            if (text.length > MAX_LENGTH) {
                throw new IOException(file + " is longer than " + MAX_LENGTH + " bytes");
            }
            return text;
        }
    }

    /// The reason why the file is not used in its present state; empty if it is used.
    public Optional<ConfigRejection> configRejection() {
        return judged(this::read);
    }

    @Override
    public Optional<String> problem(byte[] text) {
        return judged(() -> text).map(ConfigRejection::toString);
    }

    private interface Text {
        byte[] read() throws IOException;
    }

    /// Reads only a file that no other user could have written.
    private Optional<ConfigRejection> judged(Text text) {
        try {
            FileOwnership fileOwnership = FileOwnership.ofThisProcess();
            Optional<ConfigRejection> unsafe = unsafe(fileOwnership);
            return unsafe.isPresent() ? unsafe : unapproved(text.read(), fileOwnership);
        } catch (IOException unreadable) {
            return Optional.of(uncertain(unreadable));
        }
    }

    /// A file that cannot be checked is not used.
    private ConfigRejection uncertain(IOException problem) {
        String what = problem instanceof FileSystemException
                ? problem.getClass().getSimpleName() + ": " + problem.getMessage()
                : problem.getMessage();
        return new ConfigRejection(
                "cannot be checked (" + what + ")",
                "`" + FuseboxCommand.of("serve", "--config", file.toString()) + "` uses it without that check");
    }

    /// The reason why others could change or replace the file or its link target; empty if they cannot.
    public Optional<ConfigRejection> unsafe() throws IOException {
        return unsafe(FileOwnership.ofThisProcess());
    }

    private Optional<ConfigRejection> unsafe(FileOwnership fileOwnership) throws IOException {
        Path target = file.toRealPath();
        Optional<ConfigRejection> link = fileOwnership.ofLink(file);
        if (link.isPresent()) {
            return link;
        }
        for (Path folder : Stream.of(file, target)
                .map(path -> path.resolveSibling(""))
                .distinct()
                .toList()) {
            Optional<ConfigRejection> configRejection = fileOwnership.ofFolder(folder);
            if (configRejection.isPresent()) {
                return configRejection;
            }
        }
        return fileOwnership.ofFile(target);
    }

    private Optional<ConfigRejection> unapproved(byte[] text, FileOwnership fileOwnership) throws IOException {
        ApprovalStore.Approval approval = ApprovalStore.of(platform).find(file, fileOwnership);
        String command = "`" + FuseboxCommand.of("allow", file.toString())
                + "` shows what it runs and allows it, --config " + file + " uses it for one run";
        if (approval == null) {
            return Optional.of(new ConfigRejection("has not been allowed", command));
        }
        boolean isSame = approval.target().equals(file.toRealPath().toString())
                && approval.digest().equals(ApprovalStore.digest(text));
        return isSame
                ? Optional.empty()
                : Optional.of(new ConfigRejection("has changed since it was allowed at " + approval.at(), command));
    }

    /// Allows this content: the file is used without being named, as long as it has this content.
    ///
    /// @throws IOException if the approval cannot be stored
    public void allow(byte[] text) throws IOException {
        String now = platform.wallClock().instant().toString();
        ApprovalStore.of(platform)
                .write(file, new ApprovalStore.Approval(file.toRealPath().toString(), ApprovalStore.digest(text), now));
    }
}
