package io.strowger.spi.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The context of a trace")
class TraceContextTest {
  private static final String GOOD = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  @Test
  @DisplayName("is read from the two headers as they are")
  void good() {
    assertThat(TraceContext.parse(GOOD, "vendor=1, other=2"))
        .isEqualTo(new TraceContext(GOOD, "vendor=1, other=2"));
    assertThat(TraceContext.parse(GOOD, null)).isEqualTo(new TraceContext(GOOD, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-will-be-like"
      })
  @DisplayName("of a later version is what the first version knows of it")
  void later(String header) {
    assertThat(TraceContext.parse(header, null)).isEqualTo(new TraceContext(GOOD, null));
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
  @DisplayName("is none where the header is anything else")
  void wrong(String header) {
    assertThat(TraceContext.parse(header, "vendor=1")).isNull();
    assertThatThrownBy(() -> new TraceContext(header, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("is none of a header without end, and leaves out a state that is wrong or too long")
  void hostile() {
    assertThat(TraceContext.parse("01" + GOOD.substring(2) + "-" + "a".repeat(1 << 20), null))
        .isNull();
    assertThat(TraceContext.parse(GOOD, "a=" + "b".repeat(TraceContext.MAX_STATE)))
        .isEqualTo(new TraceContext(GOOD, null));
    assertThat(TraceContext.parse(GOOD, "a=b\r\nX: y")).isEqualTo(new TraceContext(GOOD, null));
    assertThat(TraceContext.parse(GOOD, " ")).isEqualTo(new TraceContext(GOOD, null));
    assertThat(TraceContext.parse(null, "a=b")).isNull();
  }
}
