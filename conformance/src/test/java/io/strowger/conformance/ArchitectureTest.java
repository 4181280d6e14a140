package io.strowger.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The architecture")
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.strowger");

  private static final JavaClasses PLANTED = new ClassFileImporter().importPackages("planted");

  private static Map<String, ArchRule> rules() {
    var rules = new TreeMap<String, ArchRule>();
    rules.put("chance comes from Ambient", Rules.CHANCE_COMES_FROM_AMBIENT);
    rules.put("core has five libraries", Rules.CORE_HAS_FIVE_LIBRARIES);
    rules.put("core sees only the SPI", Rules.CORE_SEES_ONLY_THE_SPI);
    rules.put("databases stay in one room", Rules.DATABASES_IN_ONE_ROOM);
    rules.put("the host uses the front doors", Rules.HOST_USES_THE_FRONT_DOORS);
    rules.put("destinations see only the SPI", Rules.DESTINATIONS_SEE_ONLY_THE_SPI);
    rules.put("Jackson stays in one room", Rules.JACKSON_IN_ONE_ROOM);
    rules.put("models of clients see only the client", Rules.MODELS_SEE_ONLY_THE_CLIENT);
    rules.put("names say something", Rules.NAMES_SAY_SOMETHING);
    rules.put("no abstract classes", Rules.NO_ABSTRACT_CLASSES);
    rules.put("no inheritance between classes", Rules.NO_INHERITANCE);
    rules.put("no package cycles", Rules.NO_PACKAGE_CYCLES);
    rules.put("no printing", Rules.NO_PRINTING);
    rules.put("no provider without funds", Rules.NO_PROVIDER_WITHOUT_FUNDS);
    rules.put("no reflection", Rules.NO_REFLECTION);
    rules.put("no static state", Rules.NO_STATIC_STATE);
    rules.put("no vendor names", Rules.NO_VENDOR_NAMES);
    rules.put("nothing is scanned", Rules.NOTHING_IS_SCANNED);
    rules.put("nothing is synchronized", Rules.NOTHING_SYNCHRONIZED);
    rules.put("planning is pure", Rules.PLAN_IS_PURE);
    rules.put("plugins see only the SPI", Rules.PLUGINS_SEE_ONLY_THE_SPI);
    rules.put("providers see only the SPI", Rules.PROVIDERS_SEE_ONLY_THE_SPI);
    rules.put("the servlet sees only the wire", Rules.SERVLET_SEES_ONLY_THE_WIRE);
    rules.put("simulated sees only the SPI", Rules.SIMULATED_SEES_ONLY_THE_SPI);
    rules.put("the starter uses the front doors", Rules.STARTER_USES_THE_FRONT_DOORS);
    rules.put("stores see only the SPI", Rules.STORES_SEE_ONLY_THE_SPI);
    rules.put("telemetry sees only the SPI", Rules.TELEMETRY_SEES_ONLY_THE_SPI);
    rules.put("telemetry stays in one room", Rules.TELEMETRY_IN_ONE_ROOM);
    rules.put("typed sees only the client", Rules.TYPED_SEES_ONLY_THE_CLIENT);
    rules.put("the SPI stands alone", Rules.SPI_STANDS_ALONE);
    rules.put("the TCK sees only the SPI", Rules.TCK_SEES_ONLY_THE_SPI);
    rules.put("threads come from Ambient", Rules.THREADS_COME_FROM_AMBIENT);
    rules.put("time comes from Ambient", Rules.TIME_COMES_FROM_AMBIENT);
    return rules;
  }

  @TestFactory
  @DisplayName("holds:")
  Stream<DynamicTest> holds() {
    return rules().entrySet().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(MAIN)));
  }

  @TestFactory
  @DisplayName("would be found broken by the classes planted for it:")
  Stream<DynamicTest> canFail() {
    return rules().entrySet().stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.getKey(),
                    () ->
                        assertThatThrownBy(() -> rule.getValue().check(PLANTED))
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining("planted.strowger")));
  }

  @Test
  @DisplayName("is looked at in every module: rules over an empty class path prove nothing")
  void everything() {
    assertThat(MAIN.size()).isGreaterThan(250);
    for (String module :
        new String[] {
          "spi",
          "core",
          "providers",
          "simulated",
          "plugins",
          "stores",
          "destinations",
          "telemetry",
          "typed",
          "servlet",
          "spring",
          "langchain4j",
          "springai",
          "tck"
        }) {
      assertThat(MAIN.stream().map(JavaClass::getPackageName))
          .as(module)
          .anyMatch(name -> name.startsWith("io.strowger." + module));
    }
  }

  @Test
  @DisplayName("marks every package, so that null is checked everywhere")
  void nullMarked() {
    assertThat(MAIN.getPackage("io.strowger").getSubpackagesInTree())
        .filteredOn(found -> !found.getClasses().isEmpty())
        .isNotEmpty()
        .allSatisfy(
            found ->
                assertThat(found.isAnnotatedWith(NullMarked.class)).as(found.getName()).isTrue());
  }
}
