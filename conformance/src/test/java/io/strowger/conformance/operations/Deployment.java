package io.strowger.conformance.operations;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the compose file starts, as processes of this machine: PostgreSQL, its gateways with the
 * command, configuration and environment they have there, and a balancer. What differs is where
 * things are: addresses, ports and paths.
 */
final class Deployment implements AutoCloseable {
  static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");
  static final String ADMIN_KEY = "sk-administrator-0123";

  private final Path folder;
  private final EmbeddedPostgres database;
  private final Map<String, String> values = new TreeMap<>();
  private final List<Ports> ports = new ArrayList<>();
  private final List<ServedProcess> gateways = new ArrayList<>();
  private final Balancer balancer;

  /**
   * Where a gateway listens.
   *
   * @param api for requests
   * @param admin for probes
   */
  record Ports(int api, int admin) {
    /** Whether it should be sent requests. */
    boolean isReady() {
      try {
        return HttpAnswer.of(admin, "GET /readyz", "", "").status() == 200;
      } catch (IOException away) {
        return false;
      }
    }
  }

  Deployment(Path folder, String upstream) throws IOException, SQLException {
    this.folder = folder;
    database = EmbeddedPostgres.start();
    values.putAll(
        Map.of(
            "DATABASE_PASSWORD",
            "not-a-secret",
            "SECRET_KEY",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "UPSTREAM_URL",
            upstream,
            "UPSTREAM_KEY",
            "upstream-key",
            "APP_KEY",
            PaidLoad.KEY,
            "ADMIN_KEY",
            ADMIN_KEY));
    createDatabase(ContainerFiles.environment("database", values));
    for (String gateway : GATEWAYS) {
      ports.add(new Ports(freePort(), freePort()));
      gateways.add(start(gateway));
    }
    balancer = Balancer.before(ports, folder);
  }

  /** What the image of PostgreSQL does when it starts with an empty volume. */
  private void createDatabase(Map<String, String> environment) throws SQLException {
    String user = environment.get("POSTGRES_USER");
    try (Connection connection = database.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE USER %s PASSWORD '%s'".formatted(user, environment.get("POSTGRES_PASSWORD")));
      statement.execute(
          "CREATE DATABASE %s OWNER %s".formatted(environment.get("POSTGRES_DB"), user));
    }
  }

  /**
   * A port that nobody listens at. A gateway comes back at the port it had, so it cannot ask for
   * any.
   */
  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private ServedProcess start(String gateway) throws IOException {
    Ports there = ports.get(GATEWAYS.indexOf(gateway));
    List<String> command =
        ContainerFiles.command(ContainerFiles.list(ContainerFiles.service(gateway).get("command")));
    int jar = command.indexOf("-jar");
    return ServedProcess.start(
        List.of("@" + options()),
        command.subList(jar + 2, command.size()).stream()
            .map(word -> here(gateway, word, there))
            .toList(),
        ContainerFiles.environment(gateway, values));
  }

  /** The options of the image; an older JDK knows none of those about kept classes. */
  private Path options() throws IOException {
    List<String> lines =
        ContainerFiles.text("java.options")
            .lines()
            .filter(line -> !line.contains("aot") || Runtime.version().feature() >= 25)
            .toList();
    return Files.write(folder.resolve("java.options"), lines);
  }

  /**
   * What a word of a command is on this machine: paths are where the compose file mounts them from.
   */
  private String here(String gateway, String word, Ports there) {
    if (!word.startsWith("/")) {
      return word;
    }
    String mounted = ContainerFiles.mounted(gateway, word);
    return mounted.startsWith("./")
        ? configuration(gateway, mounted.substring(2), there)
        : folder.resolve(mounted).toString();
  }

  private String configuration(String gateway, String file, Ports there) {
    String text =
        ContainerFiles.text(file)
            .replace("0.0.0.0", "127.0.0.1")
            .replace("\"port\": 8080", "\"port\": " + there.api())
            .replace("\"port\": 8081", "\"port\": " + there.admin())
            .replace("//database:5432/", "//127.0.0.1:%d/".formatted(database.getPort()));
    try {
      return Files.writeString(folder.resolve(gateway + ".json"), text).toString();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where requests go. */
  int port() {
    return balancer.port();
  }

  Ports ports(int gateway) {
    return ports.get(gateway);
  }

  /** Waits until a gateway is ready, and so the balancer has begun to see it. */
  void awaitReady(int gateway) {
    while (!ports.get(gateway).isReady()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Stops a gateway as {@code docker compose restart} does, and returns its exit code. */
  int stop(int gateway) throws InterruptedException {
    gateways.get(gateway).stop();
    return gateways.get(gateway).awaitEnd();
  }

  /** Stops all of them at the same time. */
  void stopAll() throws InterruptedException {
    gateways.forEach(ServedProcess::stop);
    for (ServedProcess gateway : gateways) {
      gateway.awaitEnd();
    }
  }

  /** Starts a gateway again that was stopped, in the same place. */
  void startAgain(int gateway) throws IOException {
    gateways.set(gateway, start(GATEWAYS.get(gateway)));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    balancer.close();
    for (ServedProcess gateway : gateways) {
      gateway.close();
    }
    database.close();
  }
}
