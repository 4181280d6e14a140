package io.strowger.plugins.datetime;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Returns the time of the request: {@code {"datetime":"2026-11-21T18:04:05.123+01:00","timezone":
 * "Europe/Berlin"}}. The zone is the one in the model's arguments, else the one in the request's
 * declaration of the tool, else UTC. Free of charge.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code datetime}.
 */
public final class DatetimeTool implements ServerTool {
  private static final String UTC = "UTC";
  private static final String TIMEZONE = "timezone";
  private static final int MAX_ZONE_NAME = 64; // characters; the longest zone name has 32
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT);

  private static final Spec SPEC =
      new Spec(
          "router:datetime",
          "Tells the current date and time.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object()
                      .put(
                          TIMEZONE,
                          Json.object()
                              .put("type", "string")
                              .put(
                                  "description",
                                  "IANA name of a time zone, such as Europe/Berlin. Leave it out"
                                      + " for the default zone; the result names the zone that was"
                                      + " used.")
                              .build())
                      .build())
              .put("additionalProperties", false)
              .build());

  @Override
  public Spec spec() {
    return SPEC;
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    String name = zoneName(call);
    ZoneId zone = zone(name);
    return Json.object()
        .put("datetime", FORMAT.format(chain.now().atZone(zone)))
        .put(TIMEZONE, name)
        .build();
  }

  private static String zoneName(Invocation call) throws ToolException {
    for (Json.Obj members : new Json.Obj[] {call.arguments(), call.parameters()}) {
      Json zone = members.get(TIMEZONE);
      if (zone instanceof Json.Str name && !name.isEmpty()) {
        return name.text();
      }
      if (zone != null && !(zone instanceof Json.Str) && !(zone instanceof Json.Null)) {
        throw refusal();
      }
    }
    return UTC;
  }

  private static ZoneId zone(String name) throws ToolException {
    if (name.length() > MAX_ZONE_NAME) {
      throw refusal();
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw refusal();
    }
  }

  private static ToolException refusal() {
    return new ToolException(
        "timezone must be the IANA name of a time zone, such as UTC, Europe/Berlin or"
            + " America/New_York");
  }
}
