package io.strowger.host.cli;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.json.Json;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gateway check}: validates a configuration. */
@Command(
    name = "check",
    description = "Validates a configuration: every problem with its place, or a summary.",
    footerHeading = "%nExample:%n",
    footer = "  ./gateway check --config gateway.json",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  private static final int NAMED = 6;
  private static final String OPTIONAL =
      "  note: plugins.defaults: a request may switch %s off or change its members; add"
          + " \"prevent_overrides\": true to its entry if none may";

  private final CommandContext context;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration file.")
  private Path config = Path.of("");

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Loads the plugins of the jars in DIR, instead of the file's plugins_dir.")
  private @Nullable Path plugins;

  CheckCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    try (ConfigFile.Opened opened = new ConfigFile(config, context, plugins).open()) {
      summarize(opened.config());
      RunningGateway.optionalDefaults(opened.config(), opened.plugins())
          .forEach(id -> context.out().println(OPTIONAL.formatted(id)));
    }
    return CommandLines.DONE;
  }

  private void summarize(GatewayConfig read) throws CommandException {
    PrintStream out = context.out();
    out.println(config + context.terminal().out().good(" is valid"));
    line("listens on", read.server().host() + ":" + read.server().port());
    line(
        "providers",
        counted(read.providers().stream().map(p -> p.slug() + " (" + p.protocol() + ")").toList()));
    line("models", counted(read.catalog().models().stream().map(m -> m.id()).toList()));
    line("endpoints", String.valueOf(read.catalog().endpoints().size()));
    line("keys", keys(read.keys()));
    line("catalog", read.catalog().version());
    plugins(read);
    line("store", new StoreChoice(read.store(), null).summary());
    read.withoutEffect()
        .forEach(sentence -> out.println(context.terminal().out().notable("  note: ") + sentence));
  }

  /** Prints the settings of plugins and of the network, if the file has any. */
  private void plugins(GatewayConfig read) {
    var reachable = read.network().allowPrivate();
    if (!reachable.isEmpty()) {
      line("network", "may reach " + counted(reachable.stream().map(String::valueOf).toList()));
    }
    Json.Obj search = read.plugins().settings().getOrDefault("web", Json.Obj.EMPTY);
    if (search.list("engines") instanceof Json.Arr engines) {
      line("search", counted(named(engines)));
    }
    var ids = read.plugins().settings().keySet();
    if (!ids.isEmpty()) {
      line("settings", "of the plugins " + String.join(", ", ids));
    }
  }

  private static List<String> named(Json.Arr engines) {
    var names = new ArrayList<String>();
    for (Json engine : engines) {
      if (engine instanceof Json.Obj said) {
        names.add(said.text("name") + " (" + said.text("kind") + ")");
      }
    }
    return names;
  }

  private void line(String what, String value) {
    context.out().printf("  %-11s %s%n", what, value);
  }

  private static String counted(List<String> names) {
    String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
    String more = names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "";
    return names.isEmpty() ? "0" : names.size() + ": " + first + more;
  }

  private static String keys(List<KeyConfig> keys) {
    return counted(
        keys.stream().map(key -> key.name() + (key.management() ? " (management)" : "")).toList());
  }
}
