package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.InetAddresses;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.tck.RawUpstream;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A transport with address rules")
class GuardedTransportTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final InetAddress LOOPBACK = InetAddresses.forString("127.0.0.1");
  private static final InetAddress OTHER_LOOPBACK = InetAddresses.forString("127.0.0.2");

  private final TestAmbient ambient = TestAmbient.realTime();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final List<String> lookedUp = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void closeAndCheckThreads() throws Exception {
    for (AutoCloseable resource : resources) {
      resource.close();
    }
    ambient.assertNoThreadsLeft();
  }

  private RawUpstream server(boolean secured, RawUpstream.Handler handler) {
    RawUpstream server = RawUpstream.start(ambient, secured, handler);
    resources.add(server);
    return server;
  }

  private RawUpstream answeringServer(boolean secured) {
    return server(
        secured,
        connection -> {
          while (true) {
            connection.readRequest();
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          }
        });
  }

  /** Returns a transport that records the names it looks up. */
  private ApacheTransport transport(AddressRules rules, AddressRules.Resolver names) {
    var transport =
        new ApacheTransport(
            ApacheTransport.Limits.DEFAULT,
            RawUpstream.loopbackTlsContext(),
            rules
                .allowingAnyPort()
                .withResolver(
                    name -> {
                      lookedUp.add(name);
                      return names.resolve(name);
                    }));
    resources.add(transport);
    return transport;
  }

  private static InetAddress[] noAddress(String name) throws UnknownHostException {
    throw new UnknownHostException(name);
  }

  private static URI uriAt(RawUpstream server, String host) {
    return URI.create(server.baseUri().toString().replace("127.0.0.1", host) + "/page");
  }

  private static Transport.Request get(URI uri) {
    return new Transport.Request(
        Transport.Method.GET, uri, Map.of(), null, LONG, LONG, "", new Cancellation());
  }

  private static String body(Transport transport, URI uri) throws IOException {
    try (Transport.Response response = transport.send(get(uri))) {
      return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void assertRefused(ApacheTransport transport, URI uri) {
    assertThatThrownBy(() -> transport.send(get(uri)))
        .as(uri.toString())
        .isInstanceOf(Transport.AddressRefusedException.class)
        .hasMessageNotContaining("127.");
    assertThat(transport.leasedCount() + transport.idleCount()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "[::]",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "localhost",
        "localhost.",
        "LOCALHOST",
        "[64:ff9b::7f00:1]",
        "169.254.169.254",
        "[fd00:ec2::254]",
        "[::127.0.0.1]"
      })
  @DisplayName("connects to no address of the private network, however it is spelled")
  void spellings(String host) {
    RawUpstream server = answeringServer(false);
    ApacheTransport transport =
        transport(AddressRules.publicOnly(), name -> new InetAddress[] {LOOPBACK});
    assertThatThrownBy(() -> transport.send(get(uriAt(server, host))))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () ->
                transport.send(
                    new Transport.Request(
                        uriAt(server, host),
                        Map.of(),
                        JsonOutput.of(new byte[] {'1'}),
                        LONG,
                        LONG,
                        new Cancellation())))
        .isInstanceOf(IOException.class);
    assertThat(transport.leasedCount() + transport.idleCount()).isZero();
    assertThat(server.connections()).isZero();
  }

  @Test
  @DisplayName("does not connect to a private address behind a DNS name")
  void privateBehindName() {
    RawUpstream server = answeringServer(false);
    ApacheTransport transport =
        transport(AddressRules.publicOnly(), name -> new InetAddress[] {LOOPBACK});
    assertRefused(transport, uriAt(server, "site.test"));
    assertThat(lookedUp).containsExactly("site.test");
    assertThat(server.connections()).isZero();
  }

  @Test
  @DisplayName("connects to the very address that it has checked, without a second lookup")
  void rebinding() throws IOException {
    RawUpstream server = answeringServer(false);
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1")),
            name -> new InetAddress[] {lookedUp.size() == 1 ? LOOPBACK : OTHER_LOOPBACK});
    URI uri = uriAt(server, "site.test");
    assertThat(body(transport, uri)).isEqualTo("ok");
    assertThat(lookedUp).hasSize(1);
    // the connection is pooled for the address that was checked
    assertThat(body(transport, uri)).isEqualTo("ok");
    assertThat(lookedUp).hasSize(1);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("checks the address of every new connection")
  void everyConnection() throws IOException {
    RawUpstream server =
        server(
            false,
            connection -> {
              connection.readRequest();
              connection.write(
                  "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            });
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1")),
            name -> new InetAddress[] {lookedUp.size() == 1 ? LOOPBACK : OTHER_LOOPBACK});
    URI uri = uriAt(server, "site.test");
    assertThat(body(transport, uri)).isEqualTo("ok");
    assertRefused(transport, uri);
    assertThat(lookedUp).hasSize(2);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  @DisplayName("skips addresses that are not allowed and those at which no server listens")
  void mixed() throws IOException {
    RawUpstream server = answeringServer(false);
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1", "127.0.0.3")),
            name ->
                new InetAddress[] {OTHER_LOOPBACK, InetAddresses.forString("127.0.0.3"), LOOPBACK});
    assertThat(body(transport, uriAt(server, "site.test"))).isEqualTo("ok");
  }

  @Test
  @DisplayName("returns a redirect to a private address, and refuses a request for that address")
  void redirect() throws IOException {
    RawUpstream secret = answeringServer(false);
    RawUpstream site =
        server(
            false,
            connection -> {
              connection.readRequest();
              connection.write(
                  "HTTP/1.1 302 Found\r\nLocation: "
                      + uriAt(secret, "127.0.0.2")
                      + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            });
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1/32")),
            GuardedTransportTest::noAddress);
    String location;
    try (Transport.Response response = transport.send(get(site.baseUri()))) {
      assertThat(response.status()).isEqualTo(302);
      location = response.header("Location");
    }
    assertThat(location).isNotNull();
    assertRefused(transport, URI.create(location));
    assertThat(secret.connections()).isZero();
  }

  @Test
  @DisplayName("checks the certificate against the name in the request")
  void certificates() throws IOException {
    RawUpstream server = answeringServer(true);
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1")),
            name -> new InetAddress[] {LOOPBACK});
    assertThat(body(transport, uriAt(server, "localhost"))).isEqualTo("ok");
    assertThatThrownBy(() -> body(transport, uriAt(server, "site.test")))
        .isInstanceOf(SSLException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[::10.0.0.1]", "10.0.0.1"})
  @DisplayName("refuses a private address with the exception for it, in every spelling")
  void refused(String host) {
    ApacheTransport transport =
        transport(AddressRules.publicOnly(), name -> new InetAddress[] {LOOPBACK});
    assertRefused(transport, URI.create("http://" + host + "/"));
  }

  @Test
  @DisplayName("connects to public addresses only at ports 80 and 443 and at the listed ports")
  void ports() throws IOException {
    AddressRules rules =
        AddressRules.publicOnly()
            .withResolver(name -> new InetAddress[] {InetAddresses.forString("8.8.8.8"), LOOPBACK});
    assertThat(rules.addresses("site.test", 443)).hasSize(1);
    assertThatThrownBy(() -> rules.addresses("site.test", 8080))
        .isInstanceOf(Transport.AddressRefusedException.class);
    AddressRules listed = rules.allowingPorts(List.of(8080));
    assertThat(listed.addresses("site.test", 8080)).hasSize(1);
    assertThatThrownBy(() -> rules.allowingPorts(List.of(0)))
        .isInstanceOf(IllegalArgumentException.class);
    AddressRules loopback = rules.allowing(List.of("127.0.0.1"));
    assertThat(loopback.addresses("site.test", 8080)).containsExactly(LOOPBACK);
  }

  @Test
  @DisplayName("connects to a listed address at every port")
  void listedAddress() throws IOException {
    RawUpstream server = answeringServer(false);
    AddressRules rules =
        AddressRules.publicOnly()
            .allowing(List.of("127.0.0.1"))
            .withResolver(name -> new InetAddress[] {LOOPBACK});
    try (var transport = new ApacheTransport(ApacheTransport.Limits.DEFAULT, rules)) {
      assertThat(body(transport, uriAt(server, "site.test"))).isEqualTo("ok");
    }
  }

  @Test
  @DisplayName("waits for a name lookup no longer than for a connection, and then abandons it")
  void slowNames() throws Exception {
    var lookupStarted = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly(),
            name -> {
              lookupStarted.countDown();
              try {
                answer.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return new InetAddress[] {LOOPBACK};
            });
    transport.startSweeping(ambient);
    var request =
        new Transport.Request(
            Transport.Method.GET,
            URI.create("http://slow.test/"),
            Map.of(),
            null,
            Duration.ofMillis(20),
            LONG,
            "",
            new Cancellation());
    try {
      assertThatThrownBy(() -> transport.send(request)).isInstanceOf(SocketTimeoutException.class);
      assertThat(lookupStarted.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(lookedUp).containsExactly("slow.test");
    } finally {
      answer.countDown();
    }
  }

  @Test
  @DisplayName("repeats a GET, but not a POST, if a reused connection is closed without an answer")
  void stale() throws IOException {
    RawUpstream server =
        server(
            false,
            connection -> {
              connection.readRequest();
              connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
              connection.readRequest();
              connection.end();
            });
    ApacheTransport transport =
        transport(
            AddressRules.publicOnly().allowing(List.of("127.0.0.1")),
            name -> new InetAddress[] {LOOPBACK});
    URI uri = uriAt(server, "site.test");
    assertThat(body(transport, uri)).isEqualTo("ok");
    assertThat(body(transport, uri)).isEqualTo("ok");
    assertThat(server.connections()).isEqualTo(2);
    var post =
        new Transport.Request(
            uri, Map.of(), JsonOutput.of(new byte[] {'1'}), LONG, LONG, new Cancellation());
    assertThatThrownBy(() -> transport.send(post)).isInstanceOf(IOException.class);
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  @DisplayName("fails with an unknown host when a name has no address")
  void unknown() {
    RawUpstream server = answeringServer(false);
    ApacheTransport transport =
        transport(AddressRules.publicOnly(), GuardedTransportTest::noAddress);
    assertThatThrownBy(() -> body(transport, uriAt(server, "site.test")))
        .isInstanceOf(UnknownHostException.class);
    assertThat(transport.leasedCount()).isZero();
  }
}
