package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Of a request in a container")
class RequestPathTest {
  @ParameterizedTest
  @CsvSource({
    "/app/api/v1/models, /app, /api/v1, /models",
    "/app/api/v1, /app, /api/v1, ''",
    "/api/v1/a%2Fb, '', /api/v1, /a%2Fb",
    "/models, '', '', /models",
    "/%61pp/api/v1/models, /%61pp, /api/v1, /models",
    "/app/api/%761/models, /app, /api/v1, /models",
    "/app/caf%C3%A9/models, /app, /café, /models",
    "/app/a+b/models, /app, /a+b, /models",
    "/app/a%2Bb/models, /app, /a+b, /models"
  })
  @DisplayName("the path below the mapping is taken from the URI as the client wrote it")
  void below(String uri, String context, String mapped, String expected) {
    assertThat(RequestPath.remainder(uri, context, mapped)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/app/api/v10/models, /app, /api/v1",
    "/app/x/../api/v1/keys, /app, /api/v1",
    "/app/./keys, /app, /api",
    "//app/api/v1/keys, /app, /api/v1",
    "/app;x/api/v1/keys, /app, /api/v1",
    "/app/api%2Fv1/keys, /app, /api/v1",
    "/app/a%zz/keys, /app, /api"
  })
  @DisplayName(
      "a path that does not begin with context and mapping as written does not belong to the API")
  void none(String uri, String context, String mapped) {
    assertThat(RequestPath.remainder(uri, context, mapped)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "2001:db8::1, 2001:db8:0:0:0:0:0:1",
    "[2001:db8::1], 2001:db8:0:0:0:0:0:1",
    "fe80::1%eth0, fe80:0:0:0:0:0:0:1"
  })
  @DisplayName("an IP address is read in every notation")
  void addresses(String name, String expected) {
    assertThat(ServletExchange.address(name))
        .satisfies(address -> assertThat(address.getHostAddress()).isEqualTo(expected));
  }

  @Test
  @DisplayName("a host name is no address, and is not looked up")
  void names() {
    assertThat(ServletExchange.address(null)).isNull();
    assertThat(ServletExchange.address("")).isNull();
    assertThat(ServletExchange.address("localhost")).isNull();
    assertThat(ServletExchange.address("_hidden")).isNull();
  }
}
