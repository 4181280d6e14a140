package io.strowger.stores.ledger;

import io.strowger.spi.model.Usage;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.journal.Item;
import io.strowger.stores.journal.Numbered;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Writes the lines of a group of postings, and raises what their node spent. */
record Lines() implements Freight {
  @Override
  public boolean includes(Item item) {
    return item instanceof Item.Lines;
  }

  @Override
  public String column() {
    return "flushed";
  }

  @Override
  public void arrived(List<Numbered> items) {
    // nobody waits for it
  }

  @Override
  public boolean isOptional() {
    return false;
  }

  @Override
  public void lost(Numbered item) {
    throw new IllegalStateException("money is never left behind");
  }

  @Override
  public void write(Handle handle, String node, List<Numbered> items) {
    var sums = Spent.sums();
    PreparedBatch entries =
        handle.prepareBatch(
            """
            INSERT INTO ledger_entry (node, item, line, generation, act, at, what, own_key, outcome,
              estimated, fresh_input, input_audio, cache_read, cache_write_5m, cache_write_1h,
              output_text, reasoning, output_audio, images, searches, tool_calls_requested,
              tool_calls_executed, credits, own_keys, accounts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """);
    for (Numbered numbered : items) {
      if (numbered.item() instanceof Item.Lines lines) {
        add(entries, node, numbered.number(), lines.posting());
        var sum = new Spent.Sum(lines.posting().total(), last(lines.posting()));
        for (Posting.Account account : lines.posting().accounts()) {
          sums.merge(account, sum, Spent.Sum::plus);
        }
      }
    }
    if (entries.size() > 0) {
      entries.execute();
      Spent.raise(handle, node, sums);
    }
  }

  private static Instant last(Posting posting) {
    Instant last = posting.entries().getFirst().at();
    for (Entry entry : posting.entries()) {
      last = entry.at().isAfter(last) ? entry.at() : last;
    }
    return last;
  }

  private static void add(PreparedBatch batch, String node, long item, Posting posting) {
    var accounts = new StringBuilder();
    for (Posting.Account account : posting.accounts()) {
      accounts.append(account.payer()).append(' ').append(account.window()).append('\n');
    }
    int line = 0;
    for (Entry entry : posting.entries()) {
      var row = new ArrayList<Object>(25);
      row.add(node);
      row.add(item);
      row.add(line++);
      row.add(text(entry.generation()));
      row.add(entry.act());
      row.add(entry.at().atOffset(ZoneOffset.UTC));
      row.add(text(entry.what()));
      row.add(text(entry.ownKey()));
      row.add(entry.outcome().name());
      addUsage(row, entry.usage());
      row.add(entry.charge().credits().nanos());
      row.add(entry.charge().ownKeys().nanos());
      row.add(text(accounts.toString()));
      batch.add(row.toArray());
    }
  }

  private static void addUsage(List<Object> row, Usage usage) {
    row.add(usage.estimated());
    row.add(usage.freshInput());
    row.add(usage.inputAudio());
    row.add(usage.cacheRead());
    row.add(usage.cacheWrite5m());
    row.add(usage.cacheWrite1h());
    row.add(usage.outputText());
    row.add(usage.reasoning());
    row.add(usage.outputAudio());
    row.add(usage.images());
    row.add(usage.searches());
    row.add(usage.toolCallsRequested());
    row.add(usage.toolCallsExecuted());
  }

  /** A server's text cannot hold the one character: a line must not be refused for that. */
  static String text(String value) {
    return value.indexOf('\0') < 0 ? value : value.replace('\0', '\uFFFD');
  }
}
