package io.strowger.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.stores.ledger.LedgerLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Rows of an earlier version, one for each record and each line,")
class EarlierRowsTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant RECEIVED_AT = Instant.parse("2026-11-21T12:00:00.5Z");
  private static final String JSON = "{\"id\":\"gen-1\",\"odd\":\"\\u0000 \u4e2d\"}";

  @TempDir private Path directory;

  private JdbcStores open(DatabaseSettings settings) {
    return JdbcStores.open(
        new JdbcStores.Settings(
            settings.url(),
            settings.user(),
            settings.password(),
            directory.resolve(settings.url().contains("h2") ? "node" : "other-node")),
        new JacksonCodec(),
        new SystemAmbient());
  }

  @Test
  @DisplayName("are found together with rows of this version, in a file and on a server")
  void found() throws IOException {
    for (DatabaseSettings settings :
        List.of(
            new DatabaseSettings(
                "jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE),
            new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE))) {
      assertFound(settings);
    }
  }

  private void assertFound(DatabaseSettings settings) throws IOException {
    try (Database database = Database.open(settings, new SystemAmbient())) {
      database.inTransaction(
          "write as before",
          handle ->
              handle.execute(
                      "INSERT INTO generation (id, owner, came_at, record, content)"
                          + " VALUES ('gen-1', 'me', ?, ?, '{}')",
                      RECEIVED_AT.atOffset(ZoneOffset.UTC),
                      JSON)
                  + handle.execute(
                      """
                      INSERT INTO ledger_entry (node, item, line, generation, act, at, what, own_key,
                        outcome, estimated, fresh_input, input_audio, cache_read, cache_write_5m,
                        cache_write_1h, output_text, reasoning, output_audio, images, searches,
                        tool_calls_requested, tool_calls_executed, credits, own_keys, accounts)
                      VALUES ('node', 3, 0, 'gen-1', 0, ?, 'acme/large', '', 'COMPLETE', TRUE, 10, 0,
                        0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 70, 8,
                        'workspace:a b all' || CHR(10) || 'key:c 2026-11' || CHR(10))
                      """,
                      RECEIVED_AT.atOffset(ZoneOffset.UTC)));
    }
    var current = new Generation("gen-2", "me", RECEIVED_AT, new byte[] {1, 2}, null);
    LedgerEntry line = line("gen-2", 0, Usage.NONE, new Charge(new Usd(1), Usd.ZERO));
    var account = new Posting.Account("key:c", "all");
    try (var stores = open(settings)) {
      byte[] json = JSON.getBytes(StandardCharsets.UTF_8);
      byte[] content = {'{', '}'};
      assertThat(stores.generations().find("gen-1"))
          .isEqualTo(new Generation("gen-1", "me", RECEIVED_AT, json, content));
      stores.ledger().append(new Posting(List.of(line), List.of(account), current));
    }
    var lines = new ArrayList<LedgerLines.Line>();
    try (var books = LedgerLines.open(settings, new SystemAmbient())) {
      books.read(lines::add);
    }
    var usage = Usage.builder().estimated(true).freshInput(10).outputText(5).build();
    LedgerEntry earlier = line("gen-1", 0, usage, new Charge(new Usd(70), new Usd(8)));
    assertThat(lines).extracting(LedgerLines.Line::entry).containsExactly(earlier, line);
    assertThat(lines.getFirst().accounts())
        .containsExactly(
            new Posting.Account("workspace:a b", "all"), new Posting.Account("key:c", "2026-11"));
    assertThat(lines.getLast().accounts()).containsExactly(account);
    try (var stores = open(settings)) {
      assertThat(stores.generations().find("gen-1")).isNotNull();
      assertThat(stores.generations().find("gen-2")).isEqualTo(current);
    }
  }

  @Test
  @DisplayName("are each read exactly once, from several nodes and in several pages")
  void pages() throws IOException {
    for (DatabaseSettings settings :
        List.of(
            new DatabaseSettings(
                "jdbc:h2:file:" + directory.resolve("pages"), null, Credential.NONE),
            new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE))) {
      try (Database database = Database.open(settings, new SystemAmbient())) {
        for (String node : List.of("a", "b", "c")) {
          database.inTransaction("write as before", handle -> writeEarlier(handle, node));
        }
      }
      var lines = new ArrayList<String>();
      try (var books = LedgerLines.open(settings, new SystemAmbient())) {
        books.read(
            line -> {
              if (line.node().length() == 1) {
                lines.add(line.node() + line.item() + line.entry().generation());
              }
            });
      }
      assertThat(lines).hasSize(3 * 250).doesNotHaveDuplicates();
      assertThat(lines.getFirst()).isEqualTo("a0gen-0");
      assertThat(lines.getLast()).isEqualTo("c83gen-249");
    }
  }

  /** Writes 250 lines, three in each item. */
  private static int writeEarlier(Handle handle, String node) {
    var batch =
        handle.prepareBatch(
            """
            INSERT INTO ledger_entry (node, item, line, generation, act, at, what, own_key,
              outcome, estimated, fresh_input, input_audio, cache_read, cache_write_5m,
              cache_write_1h, output_text, reasoning, output_audio, images, searches,
              tool_calls_requested, tool_calls_executed, credits, own_keys, accounts)
            VALUES (?, ?, ?, ?, 0, ?, 'acme/large', '', 'COMPLETE', TRUE, 10, 0,
              0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 70, 8, '')
            """);
    for (int i = 0; i < 250; i++) {
      batch.add(node, i / 3, i % 3, "gen-" + i, RECEIVED_AT.atOffset(ZoneOffset.UTC));
    }
    return batch.execute().length;
  }

  private static LedgerEntry line(String generation, int act, Usage usage, Charge charge) {
    var outcome = CallRecord.Outcome.COMPLETE;
    return new LedgerEntry(generation, act, RECEIVED_AT, "acme/large", "", outcome, usage, charge);
  }
}
