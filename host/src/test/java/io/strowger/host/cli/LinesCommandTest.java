package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.JdbcStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The ledger lines of a store")
class LinesCommandTest {
  @TempDir private Path folder;
  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
  private String config;

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("gateway.json");
    config = Files.writeString(file, CommandsTest.CONFIG).toString();
  }

  private GatewayCommands.Outcome lines() {
    return commands.run("lines", "--config", config, "--data", folder.toString());
  }

  private static Posting posting(int number) {
    var entry =
        new LedgerEntry(
            "gen-" + number,
            0,
            Instant.parse("2026-11-21T12:00:00Z"),
            "acme/large@alpha",
            number == 1 ? "" : "k1",
            CallRecord.Outcome.COMPLETE,
            Usage.builder().freshInput(10).outputText(number).build(),
            new Charge(new Usd(1_500_000), new Usd(number)));
    return new Posting(
        List.of(entry),
        List.of(
            new Posting.Account("key:abc", "all"),
            new Posting.Account("account:default", "2026-11")));
  }

  @Test
  @DisplayName("are printed as JSON, one for each attempt")
  void printed() {
    var settings =
        new JdbcStores.Settings(
            "jdbc:h2:file:" + folder.resolve("gateway"), null, Credential.NONE, folder);
    try (var stores = JdbcStores.open(settings, new JacksonCodec(), new SystemAmbient())) {
      stores.ledger().append(posting(1));
      stores.ledger().append(posting(2));
    }
    GatewayCommands.Outcome outcome = lines();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out().lines().toList()).hasSize(2);
    assertThat(outcome.out())
        .containsPattern(
            ("{'generation':'gen-1','act':0,'at':'2026-11-21T12:00:00Z','what':'acme/large@alpha',"
                    + "'own_key':null,'outcome':'complete','usage':{'estimated':false,"
                    + "'fresh_input':10,'input_audio':0,'cache_read':0,'cache_write_5m':0,"
                    + "'cache_write_1h':0,'output_text':1,'reasoning':0,'output_audio':0,"
                    + "'images':0,'searches':0,'characters':0,'search_units':0,'seconds':0,"
                    + "'tool_calls_requested':0,'tool_calls_executed':0},"
                    + "'credits':0.0015,'own_keys':0.000000001,'accounts':["
                    + "{'payer':'key:abc','window':'all'},"
                    + "{'payer':'account:default','window':'2026-11'}],'node':'NODE','item':ITEM}")
                .replace('\'', '"')
                .replaceAll("[{\\[]", "\\\\$0")
                .replace("NODE", "[0-9a-f-]{36}")
                .replace("ITEM", "[0-9]+"))
        .contains("\"own_key\":\"k1\"");
  }

  @Test
  @DisplayName("are empty where nothing was spent, and refused for a store in memory")
  void none() {
    GatewayCommands.Outcome outcome = lines();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).isEmpty();
    GatewayCommands.Outcome memory = commands.run("lines", "--config", config);
    assertThat(memory.code()).isEqualTo(1);
    assertThat(memory.err()).contains("is in memory, which keeps no lines; is --data missing?");
  }
}
