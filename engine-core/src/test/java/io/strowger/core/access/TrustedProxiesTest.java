package io.strowger.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.IpNetwork;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The address of a client")
class TrustedProxiesTest {
  private final TrustedProxies proxies =
      new TrustedProxies(
          List.of(network("10.0.0.0/8"), network("192.0.2.1"), network("2001:db8:ffff::/48")));

  private static IpNetwork network(String text) {
    return Objects.requireNonNull(IpNetwork.parse(text), text);
  }

  private static InetAddress address(String text) {
    return Objects.requireNonNull(IpNetwork.address(text), text);
  }

  private String client(String peer, String forwardedFor, String forwarded) {
    return proxies
        .client(
            address(peer),
            name -> values(name.equals("X-Forwarded-For") ? forwardedFor : forwarded))
        .getHostAddress();
  }

  /**
   * Returns the values of a header that occurs several times; the test data joins them by a bar.
   */
  private static List<String> values(String joined) {
    return joined.isEmpty() ? List.of() : Arrays.asList(joined.split("\\|", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "203.0.113.7; 198.51.100.1; a header of an untrusted peer is ignored; 203.0.113.7",
        "10.1.2.3; 198.51.100.1; the hop before the proxy; 198.51.100.1",
        "10.1.2.3; 1.1.1.1, 198.51.100.1; a forged hop stands further left; 198.51.100.1",
        "10.1.2.3; 1.1.1.1|198.51.100.1; a forged hop is in another header; 198.51.100.1",
        "10.1.2.3; 198.51.100.1, 192.0.2.1, 10.9.9.9; several proxies; 198.51.100.1",
        "10.1.2.3; 10.0.0.9, 10.0.0.8; only proxies: the first of them; 10.0.0.9",
        "10.1.2.3; 198.51.100.1:4711; a port is ignored; 198.51.100.1",
        "10.1.2.3; [2001:db8::7]:4711; a port after brackets is ignored; 2001:db8:0:0:0:0:0:7",
        "10.1.2.3; ::ffff:198.51.100.1; IPv4 within IPv6 is IPv4; 198.51.100.1",
        "2001:db8:ffff::5; 2001:db8::7; a proxy with an IPv6 address; 2001:db8:0:0:0:0:0:7",
        "10.1.2.3; unknown; not an address: the peer's address is used; 10.1.2.3",
        "10.1.2.3; 198.51.100.1, evil.example; a host name is not resolved; 10.1.2.3",
        "10.1.2.3; 198.51.100.999; a number above 255; 10.1.2.3",
        "10.1.2.3; 198.51.100.1,; an empty hop; 10.1.2.3",
        "10.1.2.3; 0x7f.1; a hexadecimal number; 10.1.2.3",
        "10.1.2.3; 198.051.100.1; a leading zero, which some parsers read as octal; 10.1.2.3",
      })
  @DisplayName("is the rightmost hop of X-Forwarded-For that is no trusted proxy")
  void forwardedFor(String peer, String header, String reason, String expected) {
    assertThat(client(peer, header, "")).as(reason).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "for=198.51.100.1~198.51.100.1",
        "for=1.1.1.1, for=198.51.100.1;proto=https;by=10.0.0.1~198.51.100.1",
        "For=\"[2001:db8::7]:4711\"~2001:db8:0:0:0:0:0:7",
        "proto=https;for=198.51.100.1:80~198.51.100.1",
        "for=_hidden~10.1.2.3",
        "for=\"198.51.100.1~10.1.2.3",
        "proto=https~10.1.2.3",
      })
  @DisplayName("can also be taken from the header Forwarded")
  void forwarded(String header, String expected) {
    assertThat(client("10.1.2.3", "", header)).isEqualTo(expected);
  }

  @Test
  @DisplayName("is the peer's address if the two headers contradict each other")
  void contradiction() {
    String same = client("10.1.2.3", "198.51.100.1", "for=198.51.100.1");
    assertThat(same).isEqualTo("198.51.100.1");
    assertThat(client("10.1.2.3", "198.51.100.1", "for=1.1.1.1")).isEqualTo("10.1.2.3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0/8",
        "::/129",
        "localhost",
        "1.2.3.4.5",
        "256.1.1.1",
        "010.0.0.0/8",
        "::00001",
        "10.0.0.0/-1",
        "fe80::1%eth0",
        ":",
        "10.0.0.0/8/8",
        "١.2.3.4"
      })
  @DisplayName("cannot be configured in any unusual spelling, nor can a network")
  void wrong(String text) {
    assertThat(IpNetwork.parse(text)).isNull();
  }

  @Test
  @DisplayName("belongs to a network if its leading bits are the same")
  void blocks() {
    assertThat(network("10.128.0.0/9").contains(address("10.128.0.1"))).isTrue();
    assertThat(network("10.128.0.0/9").contains(address("10.127.255.255"))).isFalse();
    assertThat(network("0.0.0.0/0").contains(address("203.0.113.7"))).isTrue();
    assertThat(network("0.0.0.0/0").contains(address("::1"))).isFalse();
    assertThat(network("::1").contains(address("::1"))).isTrue();
    assertThat(network("::1").contains(address("::2"))).isFalse();
  }

  @Test
  @DisplayName("is counted by its first 64 bits if it is IPv6, since a subscriber has a whole /64")
  void networks() {
    assertThat(ClientNetwork.of(address("2001:db8:0:1::1")))
        .isEqualTo(ClientNetwork.of(address("2001:db8:0:1:ffff::2")))
        .isNotEqualTo(ClientNetwork.of(address("2001:db8:0:2::1")));
    assertThat(ClientNetwork.of(address("203.0.113.7")))
        .isNotEqualTo(ClientNetwork.of(address("203.0.113.8")))
        .isNotEqualTo(ClientNetwork.of(address("::cb00:7107")));
  }
}
