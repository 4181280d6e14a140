package io.strowger.providers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.InetAddresses;
import io.strowger.spi.provider.Transport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The rules for addresses")
class AddressRulesTest {
  private static final InetAddress PUBLIC = InetAddresses.forString("93.184.215.14");
  private static final InetAddress PRIVATE = InetAddresses.forString("10.0.0.1");

  private final AddressRules rules = AddressRules.publicOnly();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::10.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::8.8.8.8",
        "100::1",
        "2001::1",
        "2001:0:53aa:64c:0:0:f5ff:fffe",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:808:808::",
        "2606:4700::5efe:10.0.0.1",
        "2606:4700::200:5efe:127.0.0.1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1"
      })
  @DisplayName("reject every address that is not public, however it is embedded in another")
  void special(String address) throws UnknownHostException {
    InetAddress named = InetAddresses.forString(address);
    assertThat(rules.allows(named)).isFalse();
    assertThat(AddressRules.publicOnly().allowing(List.of("8.8.8.0/24")).allows(named)).isFalse();
    AddressRules behindName = rules.withResolver(name -> new InetAddress[] {named});
    assertThatThrownBy(() -> behindName.addresses("site.test"))
        .isInstanceOf(Transport.AddressRefusedException.class)
        .hasMessageNotContaining(address);
    for (String host : List.of(address, "[" + address + "]")) {
      assertThatThrownBy(() -> rules.addresses(host))
          .isInstanceOf(Transport.AddressRefusedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "64:ff9b::8.8.8.8",
        "::ffff:8.8.8.8",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2606:4700::5efe:8.8.8.8",
        "2a00::1",
        "3ffe::1"
      })
  @DisplayName("allow every public address, also next to the ranges that are not public")
  void global(String address) throws Exception {
    assertThat(rules.allows(InetAddresses.forString(address))).isTrue();
    assertThat(rules.addresses(address)).containsExactly(InetAddresses.forString(address));
  }

  @Test
  @DisplayName("judge an IPv4-mapped address by its bytes, even as an IPv6 object")
  void mapped() throws UnknownHostException {
    byte[] bytes = new byte[16];
    bytes[10] = (byte) 0xFF;
    bytes[11] = (byte) 0xFF;
    bytes[12] = 127;
    bytes[15] = 1;
    InetAddress wrapped = Inet6Address.getByAddress("site.test", bytes, -1);
    assertThat(rules.allows(wrapped)).isFalse();
    assertThat(rules.allowing(List.of("127.0.0.0/8")).allows(wrapped)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "0",
        "017700000001",
        "127.0.0.1.",
        "127.0.0.01",
        "0x7f.0x0.0x0.0x1",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "[127.0.0.1",
        "[::1%lo]",
        "::1%1",
        "fe80::1%eth0",
        "[v1.a]",
        "",
        " ",
        "a b",
        "a..b",
        ".",
        "-a.test",
        "site.test:80",
        "a@b",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
        "①②⑦.⓪.⓪.①",
        "a\u0000.test",
        "127.0.0.1\n"
      })
  @DisplayName("refuse unusual spellings of addresses and malformed names without a lookup")
  void spellings(String host) {
    AddressRules withoutLookup =
        AddressRules.publicOnly()
            .allowing(List.of("0.0.0.0/0", "::/0"))
            .withResolver(
                name -> {
                  throw new AssertionError("looked up " + name);
                });
    assertThatThrownBy(() -> withoutLookup.addresses(host))
        .isInstanceOf(Transport.AddressRefusedException.class);
  }

  @Test
  @DisplayName("look up a name unchanged and keep only the addresses that are allowed")
  void mixed() throws Exception {
    AddressRules mixed =
        rules.withResolver(
            name -> {
              assertThat(name).isEqualTo("site.test");
              return new InetAddress[] {PRIVATE, PUBLIC, InetAddresses.forString("::1")};
            });
    assertThat(mixed.addresses("site.test")).containsExactly(PUBLIC);
    assertThat(mixed.allowing(List.of("10.0.0.0/8")).addresses("site.test"))
        .containsExactly(PRIVATE, PUBLIC);
  }

  @Test
  @DisplayName("allow private networks exactly as the operator lists them")
  void explicitlyAllowed() {
    AddressRules extended = rules.allowing(List.of("10.1.2.3/16", "192.168.1.7", "fd12::/16"));
    for (String allowed :
        List.of("10.1.0.0", "10.1.255.255", "192.168.1.7", "fd12:1::9", "8.8.8.8")) {
      assertThat(extended.allows(InetAddresses.forString(allowed))).as(allowed).isTrue();
    }
    for (String refused :
        List.of("10.2.0.0", "10.0.255.255", "192.168.1.8", "fd13::1", "127.0.0.1")) {
      assertThat(extended.allows(InetAddresses.forString(refused))).as(refused).isFalse();
    }
    assertThat(extended.allows(InetAddresses.forString("::ffff:10.1.2.3"))).isTrue();
    assertThat(extended.allows(InetAddresses.forString("64:ff9b::10.1.2.3"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "here",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/a",
        "10.0/8",
        "fd00::/129",
        "fe80::%1/10",
        "::1%1",
        "10.0.0.0/8/8"
      })
  @DisplayName("reject a malformed network with a message that quotes it")
  void malformed(String network) {
    assertThatThrownBy(() -> rules.allowing(List.of(network)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a network: " + network);
  }
}
