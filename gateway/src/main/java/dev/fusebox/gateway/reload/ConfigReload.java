package dev.fusebox.gateway.reload;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ContentCheck;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.observe.ConfigEvent;
import dev.fusebox.gateway.reload.ConfigDifference.Change;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The application of a changed configuration. A file is applied completely or rejected with reasons. For one
/// thread; blocks while it reads the file.
public final class ConfigReload {
    private static final System.Logger LOG = LazyLoggers.of(ConfigReload.class);

    private final Source source;
    private final Running running;
    private final Consumer<ConfigEvent> events;
    private Configuration current;
    private List<String> complaints = List.of();
    private Set<String> warned = Set.of();

    /// The source of a configuration. Immutable.
    ///
    /// @param platform whose environment supplies variables
    /// @param overrides take precedence over the file
    /// @param check what each content of the file must pass
    /// @param approval another file whose change may make the check pass; null if there is none
    public record Source(
            Platform platform,
            Path file,
            Overrides overrides,
            ContentCheck check,
            @Nullable Path approval) {
        /// A file whose content needs no check.
        public Source(Platform platform, Path file, Overrides overrides) {
            this(platform, file, overrides, ContentCheck.NONE, null);
        }

        /// The same file, read with other variables.
        public Source in(Map<String, String> variables) {
            return new Source(platform.withEnvironment(variables), file, overrides, check, approval);
        }

        /// The same file, of which a profile is used.
        ///
        /// @param profile null for all of it
        public Source inProfile(@Nullable String profile) {
            return new Source(platform, file, overrides.inProfile(profile), check, approval);
        }

        /// Reads it; blocks on disk I/O.
        public ReadResult read() {
            return ConfigFile.read(HostEnvironments.of(platform), file, overrides, check);
        }

        FileStamp fileStamp() {
            FileStamp fileStamp = FileStamp.at(file);
            return approval == null ? fileStamp : fileStamp.with(approval);
        }
    }

    /// The running gateway.
    public interface Running {
        /// Applies the configuration; returns the reason if it cannot, else empty.
        Optional<String> apply(Configuration next, ConfigDifference difference);
    }

    /// @param current the configuration in use
    /// @param events receives the result of each change
    public ConfigReload(Source source, Configuration current, Running running, Consumer<ConfigEvent> events) {
        this.source = source;
        this.current = current;
        this.running = running;
        this.events = events;
    }

    /// Marks these warnings of the current configuration as already shown. Called before the first change.
    public ConfigReload after(List<ConfigProblem> warnings) {
        warned = withoutPlaces(warnings);
        return this;
    }

    Source source() {
        return source;
    }

    /// Applies a read result if it is usable.
    ///
    /// @param last whether the file is final; until then an error may be a half-written file, and is not reported
    /// @return whether nothing more needs to be done
    boolean take(ReadResult readResult, boolean last) {
        List<String> problems =
                readResult.problems().stream().map(ConfigProblem::toString).toList();
        return switch (readResult) {
            case ReadResult.Usable(Configuration next, var warnings)
            when problems.isEmpty() -> {
                boolean isDone = applied(next);
                if (complaints.isEmpty()) {
                    warn(warnings);
                }
                yield isDone;
            }
            case ReadResult.Usable(Configuration next, var _) -> last && (isInUse(next) || rejected(problems));
            case ReadResult.Refused refused -> last && rejected(problems);
        };
    }

    /// Whether the gateway has started with this configuration, and serves what is right in it.
    private boolean isInUse(Configuration next) {
        return next.problems().toList().equals(current.problems().toList())
                && ConfigDifference.between(current, next).isEmpty();
    }

    private boolean applied(Configuration next) {
        ConfigDifference difference = ConfigDifference.between(current, next);
        boolean isFixed = !complaints.isEmpty();
        if (difference.isEmpty() && !isFixed) {
            return true;
        }
        Optional<String> objection = difference.isEmpty() ? Optional.empty() : running.apply(next, difference);
        if (objection.isPresent()) {
            return rejected(List.of(objection.get()));
        }
        current = next;
        complaints = List.of();
        events.accept(event(difference));
        return true;
    }

    /// A warning that only moved within the file is not new.
    private void warn(List<ConfigProblem> warnings) {
        Set<String> known = warned;
        for (ConfigProblem warning : warnings) {
            if (!known.contains(withoutPlace(warning))) {
                LOG.log(Level.WARNING, warning.toString());
            }
        }
        warned = withoutPlaces(warnings);
    }

    private static Set<String> withoutPlaces(List<ConfigProblem> warnings) {
        return warnings.stream().map(ConfigReload::withoutPlace).collect(Collectors.toUnmodifiableSet());
    }

    private static String withoutPlace(ConfigProblem warning) {
        return warning.pointer() + " " + warning.message();
    }

    private static ConfigEvent event(ConfigDifference difference) {
        List<String> changed = Stream.concat(
                        difference.serversThat(Change.REACH).stream(), difference.serversThat(Change.RULES).stream())
                .toList();
        return new ConfigEvent.Applied(
                difference.serversThat(Change.ADDED),
                changed,
                difference.removed(),
                difference.later(),
                difference.toString());
    }

    /// The same problems are not reported twice.
    private boolean rejected(List<String> problems) {
        if (!problems.equals(complaints)) {
            complaints = problems;
            events.accept(new ConfigEvent.Rejected(problems));
        }
        return true;
    }

    /// The file cannot be read.
    boolean unreadable(String why) {
        return rejected(List.of(source.file() + ": " + why));
    }
}
