package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class StringLiteralProperties {
  @Property
  void aLiteralIsWhatTheParserTakesForOne(@ForAll("literals") byte[] bytes) {
    boolean parsed;
    try {
      parsed = PlainWire.CODEC.parse(bytes.clone()) instanceof Json.Str && bytes[0] == '"';
    } catch (JsonCodec.MalformedJsonException no) {
      parsed = false;
    }
    boolean tight = bytes.length > 0 && bytes[bytes.length - 1] == '"';
    assertThat(StringLiteral.matches(bytes, 0, bytes.length)).isEqualTo(parsed && tight);
  }

  @Provide
  Arbitrary<byte[]> literals() {
    return Literals.any();
  }
}
