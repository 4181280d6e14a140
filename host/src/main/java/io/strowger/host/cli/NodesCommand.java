package io.strowger.host.cli;

import io.strowger.host.show.MoneyFormat;
import io.strowger.host.show.Table;
import io.strowger.stores.ledger.NodeRegistry;
import io.strowger.stores.ledger.NodeRegistry.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code gateway nodes}: lists the nodes of a store with the money stranded with those that are
 * gone, and releases it.
 */
@Command(
    name = "nodes",
    description = {
      "Lists the nodes of a store: when each began, when it was last seen, and the money stranded"
          + " with it.",
      "A node that is gone keeps the money that was granted to it and is not recorded as spent,"
          + " because it may have spent some of it without recording it. Starting the node again in"
          + " its data directory settles this. If that is no longer possible, --release makes the"
          + " money available again."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./gateway nodes --config gateway.json --data data",
    mixinStandardHelpOptions = true)
final class NodesCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private final SharedOptions.Store store = new SharedOptions.Store();

  @Option(
      names = "--release",
      paramLabel = "NODE",
      description = "Releases a node that is gone (default: lists all).")
  private @Nullable String release;

  NodesCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    try (NodeRegistry registry =
        NodeRegistry.open(store.database(context, "has no nodes"), context.ambient())) {
      if (release == null) {
        list(registry.nodes());
      } else {
        release(registry, release);
      }
    }
    return CommandLines.DONE;
  }

  private void list(List<Node> nodes) {
    if (nodes.isEmpty()) {
      context.out().println("no nodes: none is running, and none has left unspent money");
      return;
    }
    var table = new Table("node", "began", "last seen", "state", ">stranded");
    Instant now = context.ambient().now();
    for (Node node : nodes) {
      table.row(
          node.id(),
          node.beganAt().truncatedTo(ChronoUnit.SECONDS).toString(),
          ago(Duration.between(node.seenAt(), now)),
          node.ended() ? "ended" : node.gone() ? "gone" : "alive",
          node.gone() ? MoneyFormat.dollars(node.strandedAmount()) : "");
    }
    table.lines(0).forEach(context.out()::println);
  }

  private static String ago(Duration time) {
    long seconds = Math.max(0, time.toSeconds());
    if (seconds < 120) {
      return seconds + " s ago";
    }
    return time.toHours() < 2
        ? time.toMinutes() + " min ago"
        : time.toDays() < 2 ? time.toHours() + " h ago" : time.toDays() + " days ago";
  }

  private void release(NodeRegistry registry, String id) throws CommandException {
    Node node = null;
    for (Node each : registry.nodes()) {
      node = each.id().equals(id) ? each : node;
    }
    if (node == null) {
      throw new CommandException(
          "there is no node " + id + " to release; gateway nodes lists them");
    }
    if (!node.gone()) {
      throw new CommandException(
          "node "
              + id
              + " was seen in the last 30 seconds; stop it, wait 30 seconds and try again");
    }
    String amount = MoneyFormat.dollars(node.strandedAmount());
    context
        .out()
        .println(
            "releasing node "
                + id
                + ": up to "
                + amount
                + " that was granted to it and not recorded as spent becomes available again;"
                + " any part that it did spend exceeds the limits");
    if (!registry.release(id)) {
      throw new CommandException("node " + id + " is running again and was not released");
    }
    context.out().println("released node " + id);
  }
}
