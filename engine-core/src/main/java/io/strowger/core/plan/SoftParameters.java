package io.strowger.core.plan;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets aside a model's endpoints that would drop a parameter others support. Never the last one:
 * when no endpoint supports it, all stay and the parameter is not sent (routing fact sheet, section
 * 7, "Always-on soft preference").
 */
final class SoftParameters {
  private static final List<Parameter> IN_ORDER =
      List.of(
          Parameter.TOOLS,
          Parameter.STRUCTURED_OUTPUTS,
          Parameter.RESPONSE_FORMAT,
          Parameter.VERBOSITY);

  /** Mask of all of them. */
  static final long ANY = Parameter.mask(IN_ORDER);

  private SoftParameters() {}

  /**
   * @param asked mask of the parameters present in the request
   * @param facts where each narrowing is noted; null when nobody reads them
   */
  static void narrow(Shortlist shortlist, long asked, @Nullable List<TraceEntry> facts) {
    if ((asked & ANY) == 0) {
      return;
    }
    for (Parameter parameter : IN_ORDER) {
      if ((asked & parameter.bit()) != 0) {
        narrow(shortlist, parameter, facts);
      }
    }
  }

  private static void narrow(
      Shortlist shortlist, Parameter parameter, @Nullable List<TraceEntry> facts) {
    int before = shortlist.size();
    int supporting = 0;
    for (int i = 0; i < before; i++) {
      if (shortlist.endpoint(i).supports(parameter)) {
        supporting++;
      }
    }
    if (supporting == 0 || supporting == before) {
      return;
    }
    shortlist.keepSupporting(parameter.bit());
    if (facts != null) {
      facts.add(
          new TraceEntry.Narrowed(
              shortlist.name(), parameter.wireName(), supporting, before - supporting));
    }
  }
}
