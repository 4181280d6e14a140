package io.strowger.plugins.web;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The approximate location of the user. Every part may be unknown (null).
 *
 * @param country the country as the caller wrote it, usually two letters
 * @param timezone the IANA name of the time zone
 */
public record UserLocation(
    @Nullable String city,
    @Nullable String region,
    @Nullable String country,
    @Nullable String timezone) {
  private static final List<String> PARTS = List.of("city", "region", "country", "timezone");

  static final Field<UserLocation> FIELD =
      new Field<>(
          "user_location",
          UserLocation::read,
          null,
          "Where the person is: type must be approximate; city, region, country and "
              + "timezone are optional.",
          schema(),
          false);

  private static UserLocation read(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Obj location)) {
      problems.report("", "must be an object", member);
      return new UserLocation(null, null, null, null);
    }
    Json type = location.get("type");
    if (type == null) {
      problems.reportMissing("/type");
    } else if (!Json.of("approximate").equals(type)) {
      problems.report("/type", "must be approximate", type);
    }
    for (String part : PARTS) {
      Json value = location.get(part);
      if (value != null && !(value instanceof Json.Str) && !(value instanceof Json.Null)) {
        problems.report("/" + part, "must be a string or null", value);
      }
    }
    return new UserLocation(
        location.text("city"),
        location.text("region"),
        location.text("country"),
        location.text("timezone"));
  }

  /** Returns the location in the form of a request. */
  Json.Obj toJson() {
    return Json.object()
        .put("type", "approximate")
        .putOrNull("city", city)
        .putOrNull("region", region)
        .putOrNull("country", country)
        .putOrNull("timezone", timezone)
        .build();
  }

  private static Json.Obj schema() {
    var properties = Json.object().put("type", Json.object().put("const", "approximate").build());
    var text = Json.object().put("type", Json.array(Json.of("string"), Json.of("null"))).build();
    PARTS.forEach(part -> properties.put(part, text));
    return Json.object()
        .put("type", "object")
        .put("properties", properties.build())
        .put("required", Json.array(Json.of("type")))
        .build();
  }
}
