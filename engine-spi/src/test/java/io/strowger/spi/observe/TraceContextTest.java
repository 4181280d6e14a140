package io.strowger.spi.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The context of a trace")
class TraceContextTest {
  private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  @DisplayName("has the two headers unchanged")
  void good() {
    assertThat(TraceContext.parse(VALID, "vendor=1, other=2"))
        .isEqualTo(new TraceContext(VALID, "vendor=1, other=2"));
    assertThat(TraceContext.parse(VALID, null)).isEqualTo(new TraceContext(VALID, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-will-be-like"
      })
  @DisplayName("of a later version is read as far as version 00 defines it:")
  void later(String header) {
    assertThat(TraceContext.parse(header, null)).isEqualTo(new TraceContext(VALID, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "00",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 ",
        " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX: y"
      })
  @DisplayName("is null when the header is anything else:")
  void wrong(String header) {
    assertThat(TraceContext.parse(header, "vendor=1")).isNull();
    assertThatThrownBy(() -> new TraceContext(header, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName(
      "is null for a header that is too long, and has no state if that is invalid or too long")
  void hostile() {
    assertThat(TraceContext.parse("01" + VALID.substring(2) + "-" + "a".repeat(1 << 20), null))
        .isNull();
    assertThat(TraceContext.parse(VALID, "a=" + "b".repeat(TraceContext.MAX_STATE)))
        .isEqualTo(new TraceContext(VALID, null));
    assertThat(TraceContext.parse(VALID, "a=b\r\nX: y")).isEqualTo(new TraceContext(VALID, null));
    assertThat(TraceContext.parse(VALID, " ")).isEqualTo(new TraceContext(VALID, null));
    assertThat(TraceContext.parse(null, "a=b")).isNull();
  }
}
