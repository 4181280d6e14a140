package io.strowger.core.guardrail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds names and addresses by the words around them, since they have no fixed form. Conservative:
 * it ignores ambiguous text, and therefore misses many names and addresses.
 *
 * <ul>
 *   <li><b>Names of people</b>: one to three capitalised words after a title (Mr, Mrs, Ms, Miss,
 *       Mx, Dr, Prof, Sir), the title included; and after "my name is", "his name is", "I am
 *       called" and the like. A name that stands alone is not found.
 *   <li><b>Addresses</b>: a house number, one to four capitalised words and a word for a street
 *       (Street, Road, Avenue, Lane, Drive ... or their abbreviations), optionally followed by a
 *       unit; and post boxes. Addresses whose number follows the street are not found, nor are
 *       cities.
 * </ul>
 */
record ContextWordDetector(List<FilterPattern> patterns) implements Detector {
  private static final String WORD = "\\p{Lu}[\\p{L}'\u2019-]{1,40}";
  private static final String NAME = WORD + "(?:[ \\t]+" + WORD + "){0,2}";
  private static final String TITLE =
      "\\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam)\\.?[ \\t]+";
  private static final String POSSESSIVE = "\\b(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) ";
  private static final String NAME_IS = "(?:full |first |last )?name(?: is|'s|:)";
  private static final String IS_CALLED = "\\b(?:I am|I'm|is) called";
  private static final String LABEL = "\\b[Nn]ame:";

  static final List<FilterPattern> NAMES =
      List.of(
          FilterPattern.trusted(TITLE + NAME),
          FilterPattern.trusted(
              "(?:"
                  + POSSESSIVE
                  + NAME_IS
                  + "|"
                  + IS_CALLED
                  + "|"
                  + LABEL
                  + ")[ \\t]+("
                  + NAME
                  + ")",
              1));

  private static final String HOUSE_NUMBER = "\\b[0-9]{1,5}[A-Za-z]?[ \\t]+";
  private static final String DIRECTION = "(?:(?:[NSEW]|North|South|East|West)\\.?[ \\t]+)?";
  private static final String STREET_NAME_WORD =
      "(?:\\p{Lu}[\\p{L}'\u2019.-]{0,40}|[0-9]{1,3}(?:st|nd|rd|th))[ \\t]+";
  private static final String STREET_TYPE =
      "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|"
          + "Place|Pl|Terrace|Ter|Way|Highway|Hwy|Parkway|Pkwy|Close|Crescent)\\b\\.?";
  private static final String UNIT_WORD = "(?:Apt|Apartment|Suite|Ste|Unit|Flat|#)";
  private static final String UNIT =
      "(?:,?[ \\t]+" + UNIT_WORD + "\\.?[ \\t]*#?[0-9A-Za-z-]{1,8})?";

  static final List<FilterPattern> ADDRESSES =
      List.of(
          FilterPattern.trusted(
              HOUSE_NUMBER + DIRECTION + "(?:" + STREET_NAME_WORD + "){1,4}" + STREET_TYPE + UNIT,
              0),
          FilterPattern.trusted("(?i)\\bp\\.?[ \\t]?o\\.?[ \\t]?box[ \\t]+[0-9]{1,8}\\b"));

  @Override
  public List<TextScanner> scanners() {
    return patterns.stream().flatMap(pattern -> pattern.scanners().stream()).toList();
  }

  @Override
  public void findAll(TextMatches matches) {
    var spans = new ArrayList<TextSpan>();
    patterns.forEach(pattern -> spans.addAll(pattern.find(matches.text(), matches.scan())));
    spans.sort(Comparator.comparingInt(TextSpan::start));
    matches.addAll(spans);
  }
}
