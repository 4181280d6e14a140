package io.strowger.benchmarks.safety;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A scenario of one kind of hostile client.
 *
 * @param name the name in the table
 * @param clients the number of concurrent clients
 * @param attack the attack that each client repeats
 * @param members the members added to the gateway's configuration, each after a comma
 */
record AttackScenario(String name, int clients, Attack attack, String members) {
  private static final int MEGABYTE = 1 << 20;
  private static final int BODY_BYTES = 64 * 1024;
  private static final String CHAT = "/chat/completions";
  private static final String FILTER =
      """
      , "account": { "guardrails": [ { "name": "g",
          "content_filters": [ { "pattern": "a.*z|b", "action": "flag" } ] } ] }\
      """;
  private static final String FEW_BYTES = ", \"overload\": { \"body_bytes\": 8000000 }";
  private static final String FEW_PLACES = ", \"overload\": { \"in_flight\": 20, \"queue\": 20 }";

  /** Creates a scenario that uses the default configuration. */
  AttackScenario(String name, int clients, Attack attack) {
    this(name, clients, attack, "");
  }

  /** One attempt of one client. */
  @FunctionalInterface
  interface Attack {
    void run(AttackedGateway gateway) throws IOException;
  }

  static final List<AttackScenario> ALL =
      List.of(
          new AttackScenario("endless streams", 4, chat(streamingRequestBody("endless"))),
          new AttackScenario("endless comments", 4, chat(streamingRequestBody("comments"))),
          new AttackScenario("endless documents", 4, chat(requestBody("document"))),
          new AttackScenario("garbage upstreams", 4, chat(requestBody("garbage"))),
          new AttackScenario("8 MB model names", 4, chat(longModelNameBody())),
          new AttackScenario("8 MB of messages", 4, chat(manyMessagesBody())),
          new AttackScenario("deep bodies", 4, chat(deepBody())),
          new AttackScenario("slow clients", 300, AttackScenario::trickle),
          new AttackScenario("clients never reading", 40, AttackScenario::neverRead),
          new AttackScenario("bodies held back", 8, AttackScenario::holdBodies, FEW_BYTES),
          new AttackScenario("slow uploads", 4, AttackScenario::upload, FEW_BYTES),
          new AttackScenario("expensive content filters", 4, chat(filteredBody()), FILTER),
          new AttackScenario("a flood of one key", 60, AttackScenario::flood, FEW_PLACES),
          new AttackScenario("credential guessing", 16, AttackScenario::guess),
          new AttackScenario("long paths and headers", 8, AttackScenario::longHead));

  private static Attack chat(byte[] body) {
    return gateway ->
        gateway.exchange(
            gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, body.length), body);
  }

  private static byte[] requestBody(String model) {
    return bytes(
        "{\"model\":\"bench/%s\",\"messages\":[{\"role\":\"user\",\"content\":\"Go on.\"}]}"
            .formatted(model));
  }

  private static byte[] streamingRequestBody(String model) {
    return bytes(
        "{\"model\":\"bench/%s\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Go on.\"}]}"
            .formatted(model));
  }

  private static byte[] longModelNameBody() {
    return bytes(
        "{\"model\":\"t/c%s\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}"
            .formatted(":a".repeat(4 * MEGABYTE)));
  }

  private static byte[] manyMessagesBody() {
    String message = "{\"role\":\"user\",\"content\":\"" + "word ".repeat(20) + "\"},";
    return bytes(
        "{\"model\":\"no/such\",\"messages\":[%s%s]}"
            .formatted(
                message.repeat(8 * MEGABYTE / message.length()),
                "{\"role\":\"user\",\"content\":\"x\"}"));
  }

  private static byte[] filteredBody() {
    return bytes(
        "{\"model\":\"no/such\",\"messages\":[{\"role\":\"user\",\"content\":\"b%s\"}]}"
            .formatted("a".repeat(2 * MEGABYTE)));
  }

  private static byte[] deepBody() {
    String nested = "{\"a\":".repeat(50) + "1" + "}".repeat(50);
    String tool =
        "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":" + nested + "}},";
    return bytes(
        "{\"model\":\"no/such\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"tools\":[%s%s]}"
            .formatted(
                tool.repeat(2 * MEGABYTE / tool.length()), tool.substring(0, tool.length() - 1)));
  }

  /** Sends the head of a request byte by byte. */
  private static void trickle(AttackedGateway gateway) throws IOException {
    Socket socket = gateway.connect();
    try {
      byte[] head = bytes(gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, 10_000));
      for (byte b : head) {
        socket.getOutputStream().write(b);
        Threads.pause(Duration.ofMillis(50));
      }
    } finally {
      gateway.disconnect(socket);
    }
  }

  /** Requests an endless stream and reads none of it. */
  private static void neverRead(AttackedGateway gateway) throws IOException {
    Socket socket = gateway.connectWithSmallBuffer();
    try {
      byte[] body = streamingRequestBody("endless");
      socket
          .getOutputStream()
          .write(bytes(gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, body.length)));
      socket.getOutputStream().write(body);
      while (!gateway.isClosed()) {
        Threads.pause(Duration.ofMillis(100));
      }
    } finally {
      gateway.disconnect(socket);
    }
  }

  /** Declares bodies, many of one size and then smaller ones, and sends one byte of each. */
  private static void holdBodies(AttackedGateway gateway) throws IOException {
    var sockets = new ArrayList<Socket>();
    try {
      for (int i = 0, length = BODY_BYTES;
          length > 0;
          length = ++i < 30 ? BODY_BYTES : length / 2) {
        Socket socket = gateway.connect();
        sockets.add(socket);
        String head = gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, length);
        socket.getOutputStream().write(bytes(head + "{"));
      }
      for (int i = 0; i < 100 && !gateway.isClosed(); i++) {
        Threads.pause(Duration.ofMillis(100));
      }
    } finally {
      for (Socket socket : sockets) {
        gateway.disconnect(socket);
      }
    }
  }

  /** Sends a large body as slowly as is allowed. */
  private static void upload(AttackedGateway gateway) throws IOException {
    Socket socket = gateway.connect();
    try {
      socket
          .getOutputStream()
          .write(bytes(gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, 4 * MEGABYTE)));
      byte[] piece = bytes(" ".repeat(1_700));
      while (!gateway.isClosed()) {
        socket.getOutputStream().write(piece);
        Threads.pause(Duration.ofMillis(100));
      }
    } finally {
      gateway.disconnect(socket);
    }
  }

  /** Sends the next request soon after each answer, even after a refusal. */
  private static void flood(AttackedGateway gateway) throws IOException {
    byte[] body = requestBody("honest");
    try {
      gateway.exchange(
          gateway.head("POST", CHAT, ServedGatewayProcess.HOSTILE_KEY, body.length), body);
    } finally {
      Threads.pause(Duration.ofMillis(50));
    }
  }

  private static void guess(AttackedGateway gateway) throws IOException {
    String key = "sk-guess-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
    byte[] body = requestBody("honest");
    gateway.exchange(gateway.head("POST", CHAT, key, body.length), body);
  }

  private static void longHead(AttackedGateway gateway) throws IOException {
    String path = "/models" + "/a".repeat(3_900);
    String head = gateway.head("GET", path, ServedGatewayProcess.HOSTILE_KEY, 0);
    String headers =
        String.format(
            Locale.ROOT,
            "x-session-id: %s\r\nx-anthropic-beta: %s\r\nX-Router-Categories: %s\r\n",
            "s".repeat(7_000),
            "a,".repeat(3_500),
            "b,".repeat(3_500));
    gateway.exchange(head.replace("Connection: close", headers + "Connection: close"), new byte[0]);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
