package io.strowger.plugins.datetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.plugins.jsonschema.JsonSchemaValidator;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.SchemaValidator;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.plugin.ServerTool.ToolException;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.ServerToolContract;
import io.strowger.tck.conformance.Proves;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The tool for date and time")
class DatetimeToolTest extends ServerToolContract {
  @Override
  protected ServerTool tool() {
    return new DatetimeTool();
  }

  @Override
  protected SchemaValidator schemaValidator() {
    return new JsonSchemaValidator();
  }

  @Override
  protected List<Json.Obj> parameters() {
    return List.of(zone("Europe/Berlin"));
  }

  @Override
  protected List<Json.Obj> validArguments() {
    return List.of(Json.Obj.EMPTY, zone("Asia/Tokyo"));
  }

  private static Json.Obj zone(String zone) {
    return Json.object().put("timezone", zone).build();
  }

  private static Json at(String moment, Json.Obj arguments, Json.Obj parameters)
      throws ToolException {
    return new DatetimeTool()
        .run(
            new Invocation(arguments, parameters, Given.request("acme/model", "When?")),
            FakeChain.of(List.of()).at(Instant.parse(moment)));
  }

  @Proves("plugins.loop.datetime")
  @ParameterizedTest
  @CsvSource({
    "2026-11-21T17:04:05.123456Z, UTC, 2026-11-21T17:04:05.123+00:00",
    "2026-11-21T17:04:05Z, Europe/Berlin, 2026-11-21T18:04:05.000+01:00",
    "2026-07-01T23:30:00.999999999Z, Europe/Berlin, 2026-07-02T01:30:00.999+02:00",
    "2026-01-01T00:00:00.001Z, America/St_Johns, 2025-12-31T20:30:00.001-03:30",
    "2026-01-01T00:00:00Z, Etc/GMT+12, 2025-12-31T12:00:00.000-12:00",
  })
  @DisplayName("returns the time with the zone's offset and milliseconds")
  void moments(String moment, String zone, String datetime) throws ToolException {
    assertThat(at(moment, Json.Obj.EMPTY, zone(zone)))
        .isEqualTo(Json.object().put("datetime", datetime).put("timezone", zone).build());
  }

  @Proves("plugins.loop.datetime")
  @Test
  @DisplayName("uses the zone that the model asks for, else the declared one, else UTC")
  void zones() throws ToolException {
    String moment = "2026-11-21T12:00:00Z";
    Json.Obj nullZone = Json.object().put("timezone", Json.NULL).build();
    assertThat(at(moment, zone("Asia/Tokyo"), zone("Europe/Berlin")).toString())
        .contains("Asia/Tokyo", "T21:00:00.000+09:00");
    for (Json.Obj withoutZone : List.of(Json.Obj.EMPTY, nullZone, zone(""))) {
      assertThat(at(moment, withoutZone, zone("Europe/Berlin")).toString())
          .contains("Europe/Berlin");
      assertThat(at(moment, withoutZone, Json.Obj.EMPTY).toString()).contains("+00:00", "\"UTC\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Mars/Base", "europe/berlin", "..", "Europe/Berlin ", "+99:00"})
  @DisplayName("explains to the model what a zone is when it names an invalid one")
  void badZones(String zone) {
    assertThatThrownBy(() -> at("2026-11-21T12:00:00Z", zone(zone), zone("UTC")))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("IANA")
        .hasMessageContaining("Europe/Berlin");
    assertThatThrownBy(() -> at("2026-11-21T12:00:00Z", Json.Obj.EMPTY, zone(zone)))
        .isInstanceOf(ToolException.class);
  }
}
