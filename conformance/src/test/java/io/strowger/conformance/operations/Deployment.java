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
 * The services of the compose file, as processes of this machine: PostgreSQL, the gateways with
 * their commands, configuration and environment, and a balancer. Only addresses, ports and paths
 * differ.
 */
final class Deployment implements AutoCloseable {
  static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");
  static final String ADMIN_KEY = "sk-administrator-0123";

  private final Path folder;
  private final EmbeddedPostgres database;
  private final Map<String, String> variables = new TreeMap<>();
  private final List<Ports> ports = new ArrayList<>();
  private final List<HostProcess> gateways = new ArrayList<>();
  private final Balancer balancer;

  /**
   * The ports of a gateway.
   *
   * @param api the port for requests
   * @param admin the port for probes
   */
  record Ports(int api, int admin) {
    /** Returns whether the gateway may be sent requests. */
    boolean isReady() {
      try {
        return HttpAnswer.send(admin, "GET /readyz", "", "").status() == 200;
      } catch (IOException notListening) {
        return false;
      }
    }
  }

  Deployment(Path folder, String upstream) throws IOException, SQLException {
    this.folder = folder;
    database = EmbeddedPostgres.start();
    variables.putAll(
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
    createDatabase(ContainerFiles.environment("database", variables));
    for (String gateway : GATEWAYS) {
      ports.add(new Ports(freePort(), freePort()));
      gateways.add(start(gateway));
    }
    balancer = Balancer.start(ports, folder);
  }

  /** Creates the user and database, as the image of PostgreSQL does in an empty volume. */
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
   * Returns a port at which nobody listens. A gateway that is restarted must get the same port
   * again, so it cannot listen at port 0.
   */
  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private HostProcess start(String gateway) throws IOException {
    Ports gatewayPorts = ports.get(GATEWAYS.indexOf(gateway));
    List<String> command =
        ContainerFiles.command(ContainerFiles.list(ContainerFiles.service(gateway).get("command")));
    int jar = command.indexOf("-jar");
    return HostProcess.start(
        List.of("@" + options()),
        command.subList(jar + 2, command.size()).stream()
            .map(word -> toLocal(gateway, word, gatewayPorts))
            .toList(),
        ContainerFiles.environment(gateway, variables));
  }

  /** Returns a file of the image's JVM options; before JDK 25 without those of the AOT cache. */
  private Path options() throws IOException {
    List<String> lines =
        ContainerFiles.text("java.options")
            .lines()
            .filter(line -> !line.contains("aot") || Runtime.version().feature() >= 25)
            .toList();
    return Files.write(folder.resolve("java.options"), lines);
  }

  /**
   * Returns a word of a command as it is on this machine: a path is replaced by the file or
   * directory that the compose file mounts there.
   */
  private String toLocal(String gateway, String word, Ports gatewayPorts) {
    if (!word.startsWith("/")) {
      return word;
    }
    String mounted = ContainerFiles.mounted(gateway, word);
    return mounted.startsWith("./")
        ? configuration(gateway, mounted.substring(2), gatewayPorts)
        : folder.resolve(mounted).toString();
  }

  private String configuration(String gateway, String file, Ports gatewayPorts) {
    String text =
        ContainerFiles.text(file)
            .replace("0.0.0.0", "127.0.0.1")
            .replace("\"port\": 8080", "\"port\": " + gatewayPorts.api())
            .replace("\"port\": 8081", "\"port\": " + gatewayPorts.admin())
            .replace("//database:5432/", "//127.0.0.1:%d/".formatted(database.getPort()));
    try {
      return Files.writeString(folder.resolve(gateway + ".json"), text).toString();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the port of the balancer, to which requests are sent. */
  int port() {
    return balancer.port();
  }

  Ports ports(int gateway) {
    return ports.get(gateway);
  }

  /** Waits until the readiness probe of a gateway succeeds. */
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

  /** Stops all gateways at the same time, and waits for their ends. */
  void stopAll() throws InterruptedException {
    gateways.forEach(HostProcess::stop);
    for (HostProcess gateway : gateways) {
      gateway.awaitEnd();
    }
  }

  /** Starts a stopped gateway again, with the same ports and data directory. */
  void startAgain(int gateway) throws IOException {
    gateways.set(gateway, start(GATEWAYS.get(gateway)));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    balancer.close();
    for (HostProcess gateway : gateways) {
      gateway.close();
    }
    database.close();
  }
}
