package io.strowger.benchmarks.report;

import java.util.List;

/**
 * Some methods of a benchmark, and some values of its parameter. JMH ignores the values of a
 * parameter that a benchmark does not have, and then measures all values.
 *
 * @param benchmark the simple name of the class
 * @param methods the names of the methods
 * @param parameter the name of the field with the parameter
 */
record JmhSelection(
    String benchmark, List<String> methods, String parameter, List<String> values) {}
