package io.strowger.host.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The nodes of a store")
class NodesCommandTest {
  private static final String GONE = "11111111-2222-3333-4444-555555555555";
  private static final String ALIVE = "66666666-2222-3333-4444-555555555555";

  @TempDir private Path folder;
  private final GatewayCommands commands =
      new GatewayCommands(Map.of("UPSTREAM_KEY", "upstream-secret"));
  private String config;

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("gateway.json");
    config = Files.writeString(file, CommandsTest.CONFIG).toString();
  }

  private GatewayCommands.Outcome nodes(String... more) {
    String[] arguments = new String[5 + more.length];
    System.arraycopy(
        new String[] {"nodes", "--config", config, "--data", folder.toString()},
        0,
        arguments,
        0,
        5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    return commands.run(arguments);
  }

  private void add(String node, int secondsAgo, long granted) throws SQLException {
    String url =
        "jdbc:h2:file:" + folder.resolve("gateway") + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE";
    try (var connection = DriverManager.getConnection(url, "strowger", "");
        var statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO ledger_node (id, boot, began_at, seen_at, flushed, ended) VALUES ('"
              + node
              + "', '', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP - INTERVAL '"
              + secondsAgo
              + "' SECOND, 0, FALSE)");
      statement.execute(
          "INSERT INTO ledger_slice (payer, span, with_own_keys, node, granted, turn) VALUES"
              + " ('key:abc', 'all', FALSE, '"
              + node
              + "', "
              + granted
              + ", 1)");
      statement.execute("SHUTDOWN"); // otherwise the database stays open in this process
    }
  }

  @Test
  @DisplayName("are empty if no gateway has used the store")
  void none() {
    GatewayCommands.Outcome outcome = nodes();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("no nodes: none is running");
  }

  @Test
  @DisplayName("are listed, and only a node that no longer runs can be released")
  void lists() throws SQLException {
    nodes(); // makes the tables
    add(GONE, 90, 1_250_000_000L);
    add(ALIVE, 1, 99);
    GatewayCommands.Outcome both = nodes();
    assertThat(both.err()).isEmpty();
    String[] lines = both.out().split("\n");
    assertThat(lines).hasSize(4); // a title, a rule and two nodes
    assertThat(nodes().out())
        .containsPattern(GONE + ".* s ago +gone +\\$1\\.25\n")
        .containsPattern(ALIVE + ".* s ago +alive\n");

    GatewayCommands.Outcome refused = nodes("--release", ALIVE);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("was seen in the last 30 seconds");

    GatewayCommands.Outcome released = nodes("--release", GONE);
    assertThat(released.code()).isZero();
    assertThat(released.out())
        .contains("up to $1.25 that was granted to it and not recorded as spent")
        .endsWith("released node " + GONE + "\n");
    assertThat(nodes().out()).doesNotContain(GONE).contains(ALIVE);
    assertThat(nodes("--release", GONE).err()).contains("there is no node " + GONE);
  }

  @Test
  @DisplayName("are refused for a store in memory")
  void memory() {
    GatewayCommands.Outcome outcome = commands.run("nodes", "--config", config);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("is in memory, which has no nodes; is --data missing?");
  }

  @Test
  @DisplayName("cannot share an embedded store: a second process is refused in one sentence")
  void inUse() throws Exception {
    var file = new ConfigFile(Path.of(config), context());
    try (var serving =
        ServedGateway.start(file, new ServedGateway.Options("127.0.0.1", 0, folder, null))) {
      assertThat(serving.uri()).isNotNull();
      assertThat(folder.resolve("gateway.mv.db")).exists();
      assertThat(folder.resolve("journal")).isDirectory();
      GatewayCommands.Outcome second =
          commands.run("serve", "--config", config, "--port", "0", "--data", folder.toString());
      assertThat(second.code()).isEqualTo(1);
      assertThat(second.err()).contains("is in use by another process");
    }
    assertThat(nodes().out()).as("after a regular end").contains("no nodes: none is running");
  }

  private CommandContext context() {
    return commands.context(new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }
}
