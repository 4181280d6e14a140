/**
 * Classes that break the rules of the architecture, one after the other, so that a test can show
 * that each rule would notice. Nothing here runs.
 */
@NullMarked
package planted.strowger;

import org.jspecify.annotations.NullMarked;
