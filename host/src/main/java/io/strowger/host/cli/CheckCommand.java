package io.strowger.host.cli;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.json.Json;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gateway check}: validates a configuration. */
@Command(
    name = "check",
    description = "Validates a configuration: every problem with its place, or a summary.",
    footerHeading = "%nExample:%n",
    footer = "  ./gateway check --config gateway.json",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  private static final int MAX_NAMES = 6;
  private static final String OPTIONAL_NOTE =
      "  note: plugins.defaults: a request may switch %s off or change its members; add"
          + " \"prevent_overrides\": true to its entry if none may";

  private final CommandContext context;

  @Mixin private final SharedOptions.Config config = new SharedOptions.Config();

  CheckCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    try (ConfigFile.OpenConfig opened = config.file(context).open()) {
      summarize(opened.config());
      RunningGateway.optionalDefaults(opened.config(), opened.plugins())
          .forEach(id -> context.out().println(OPTIONAL_NOTE.formatted(id)));
    }
    return CommandLines.DONE;
  }

  private void summarize(GatewayConfig gatewayConfig) throws CommandException {
    PrintStream out = context.out();
    out.println(config.file(context).file() + context.terminal().out().success(" is valid"));
    printLine("listens on", gatewayConfig.server().host() + ":" + gatewayConfig.server().port());
    printLine(
        "providers",
        countAndNames(
            gatewayConfig.providers().stream()
                .map(p -> p.slug() + " (" + p.protocol() + ")")
                .toList()));
    printLine(
        "models",
        countAndNames(gatewayConfig.catalog().models().stream().map(m -> m.id()).toList()));
    printLine("endpoints", String.valueOf(gatewayConfig.catalog().endpoints().size()));
    printLine("keys", keys(gatewayConfig.keys()));
    printLine("catalog", gatewayConfig.catalog().version());
    printPlugins(gatewayConfig);
    printLine("store", new StoreChoice(gatewayConfig.store(), null).summary());
    gatewayConfig
        .unusedMemberWarnings()
        .forEach(sentence -> out.println(context.terminal().out().warning("  note: ") + sentence));
  }

  /** Prints the settings of plugins and of the network, if the file has any. */
  private void printPlugins(GatewayConfig gatewayConfig) {
    var reachable = gatewayConfig.network().allowPrivate();
    if (!reachable.isEmpty()) {
      printLine(
          "network",
          "may reach " + countAndNames(reachable.stream().map(String::valueOf).toList()));
    }
    Json.Obj search = gatewayConfig.plugins().settings().getOrDefault("web", Json.Obj.EMPTY);
    if (search.list("engines") instanceof Json.Arr engines) {
      printLine("search", countAndNames(engineNames(engines)));
    }
    var ids = gatewayConfig.plugins().settings().keySet();
    if (!ids.isEmpty()) {
      printLine("settings", "of the plugins " + String.join(", ", ids));
    }
  }

  private static List<String> engineNames(Json.Arr engines) {
    var names = new ArrayList<String>();
    for (Json engine : engines) {
      if (engine instanceof Json.Obj object) {
        names.add(object.text("name") + " (" + object.text("kind") + ")");
      }
    }
    return names;
  }

  private void printLine(String label, String value) {
    context.out().printf("  %-11s %s%n", label, value);
  }

  private static String countAndNames(List<String> names) {
    String first = names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
    String more = names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "";
    return names.isEmpty() ? "0" : names.size() + ": " + first + more;
  }

  private static String keys(List<KeyConfig> keys) {
    return countAndNames(
        keys.stream()
            .map(key -> key.name() + (key.isManagement() ? " (management)" : ""))
            .toList());
  }
}
