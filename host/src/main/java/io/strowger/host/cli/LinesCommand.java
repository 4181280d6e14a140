package io.strowger.host.cli;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.ledger.LedgerLines;
import io.strowger.stores.ledger.LedgerLines.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gateway lines}: prints the lines of a store's ledger, for audits. */
@Command(
    name = "lines",
    description = {
      "Prints the ledger lines of a store: one for each attempt and each paid action, as a JSON"
          + " object with usage, cost in US dollars, and the accounts it counts in.",
      "Lines that an earlier version of the gateway wrote come first; the others follow in the"
          + " order in which they are stored. Sort them by \"at\" for their order in time. The"
          + " latest lines of a running gateway may be missing for a tenth of a second."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./gateway lines --config gateway.json --data data > lines.jsonl",
    mixinStandardHelpOptions = true)
final class LinesCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private final SharedOptions.Store store = new SharedOptions.Store();

  LinesCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException, IOException {
    try (LedgerLines lines =
        LedgerLines.open(store.database(context, "keeps no lines"), context.ambient())) {
      lines.read(this::print);
    }
    return CommandLines.DONE;
  }

  private void print(Line line) {
    context.out().println(new String(json(line).toBytes(), StandardCharsets.UTF_8));
  }

  private static Json.Obj json(Line line) {
    LedgerEntry entry = line.entry();
    var accounts = new ArrayList<Json>();
    for (Posting.Account account : line.accounts()) {
      accounts.add(
          Json.object().put("payer", account.payer()).put("window", account.window()).build());
    }
    return Json.object()
        .put("generation", entry.generation())
        .put("act", entry.number())
        .put("at", entry.at().toString())
        .put("what", entry.subject())
        .putOrNull("own_key", entry.byokKey().isEmpty() ? null : entry.byokKey())
        .put("outcome", entry.outcome().name().toLowerCase(Locale.ROOT))
        .put("usage", usage(entry.usage()))
        .put("credits", entry.charge().credits().json())
        .put("own_keys", entry.charge().byokCost().json())
        .put("accounts", Json.array(accounts))
        .put("node", line.node())
        .put("item", line.item())
        .build();
  }

  private static Json.Obj usage(Usage usage) {
    Json.Obj.Builder out = Json.object().put("estimated", usage.isEstimated());
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      out.put(quantity.wireName(), usage.count(quantity));
    }
    return out.build();
  }
}
