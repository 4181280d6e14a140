package io.strowger.host.cli;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.ledger.LedgerLines;
import io.strowger.stores.ledger.LedgerLines.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gateway lines}: prints the lines of a store's ledger, for audits. */
@Command(
    name = "lines",
    description = {
      "Prints the ledger lines of a store: one for each attempt and each paid action, as a JSON"
          + " object with usage, cost in US dollars, and the accounts it counts in.",
      "Lines that an earlier version of the gateway wrote come first, then the others by the second"
          + " in which their requests came. The latest lines of a running gateway may be missing"
          + " for a tenth of a second."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./gateway lines --config gateway.json --data data > lines.jsonl",
    mixinStandardHelpOptions = true)
final class LinesCommand implements Callable<Integer> {
  private final CommandContext context;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The configuration file.")
  private Path config = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of an embedded store, as for serve (default: none).")
  private @Nullable Path data;

  LinesCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws CommandException {
    var choice = new StoreChoice(new ConfigFile(config, context).readStoreSettings(), data);
    if (choice.isInMemory()) {
      throw new CommandException(
          "the store of " + config + " is in memory, which keeps no lines; is --data missing?");
    }
    try (LedgerLines lines = LedgerLines.open(choice.databaseSettings(), context.ambient())) {
      lines.read(this::print);
    } catch (StoreRefusedException e) {
      throw new CommandException(e.sentence());
    } catch (StoreUnavailableException | IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
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
