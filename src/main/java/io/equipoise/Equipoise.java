package io.equipoise;

import io.equipoise.audit.AuditCommand;
import io.equipoise.audit.ExperimentCommand;
import io.equipoise.cli.Failures;
import io.equipoise.cli.OptionValues;
import io.equipoise.cli.Printable;
import io.equipoise.cli.VerbProvider;
import io.equipoise.cli.Version;
import io.equipoise.cli.causal.CausalCommand;
import io.equipoise.console.ConsoleCommand;
import io.equipoise.console.report.FairnessReportCommand;
import io.equipoise.gateway.GatewayCommand;
import io.equipoise.job.check.CheckCommand;
import io.equipoise.offline.BoundsCommand;
import io.equipoise.offline.decompose.DecomposeCommand;
import io.equipoise.segmentspec.Nearest;
import io.equipoise.tools.DocsCommand;
import io.equipoise.tools.RunCommand;
import io.equipoise.tools.cluster.ClusterCommand;
import io.equipoise.tools.demo.DemoCommand;
import io.equipoise.tools.evaluate.EvaluateCommand;
import io.equipoise.tools.simulate.PlanCommand;
import io.equipoise.tools.simulate.SimulateCommand;
import io.equipoise.tools.specs.SpecsCommand;
import io.equipoise.tools.watch.WatchCommand;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line. Each verb is one small class in the package it belongs to, listed here.
 *
 * <p>Exit codes: 0 done, 1 failed or refused, 2 not understood or a file that cannot be used. An
 * error is one line on standard error. A stack trace means a bug in Equipoise, with exit code
 * {@value Failures#FAULT}.
 */
@Command(
    name = "equipoise",
    description = "Fair causal contextual bandits on Apache Flink.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true)
public final class Equipoise implements Runnable {
  /** The verbs of the product in the order of the help; those of providers follow. */
  private static final List<Class<?>> VERBS =
      List.of(
          DemoCommand.class,
          RunCommand.class,
          GatewayCommand.class,
          ClusterCommand.class,
          ConsoleCommand.class,
          FairnessReportCommand.class,
          CheckCommand.class,
          PlanCommand.class,
          SimulateCommand.class,
          EvaluateCommand.class,
          WatchCommand.class,
          SpecsCommand.class,
          AuditCommand.class,
          ExperimentCommand.class,
          BoundsCommand.class,
          DecomposeCommand.class,
          CausalCommand.class,
          DocsCommand.class);

  @Spec private CommandSpec command = CommandSpec.create();

  public static void main(String[] arguments) {
    System.exit(commandLine(List.of(arguments)).execute(arguments));
  }

  /** Makes the command line with every verb. */
  static CommandLine commandLine() {
    return commandLine(verb -> true);
  }

  /**
   * Makes the command line for these arguments, with only the verbs that they name. The other verbs
   * have a name and a description for the help. So their classes and options are not loaded.
   */
  static CommandLine commandLine(List<String> arguments) {
    boolean needsAll =
        arguments.contains(nameOf(GenerateCompletion.class))
            || arguments.stream().anyMatch(argument -> argument.startsWith("@")); // a file of them
    return commandLine(verb -> needsAll || arguments.contains(verb));
  }

  private static CommandLine commandLine(Predicate<String> isNamed) {
    CommandLine commandLine = new CommandLine(new Equipoise());
    for (Class<?> verb : verbs()) {
      String name = nameOf(verb);
      commandLine.addSubcommand(name, isNamed.test(name) ? verb : described(verb));
    }
    OptionValues.register(commandLine);
    return commandLine
        .setOut(printable(commandLine.getOut()))
        .setErr(printable(commandLine.getErr()))
        .setColorScheme(Help.defaultColorScheme(Ansi.OFF)) // it would be escaped
        .setParameterExceptionHandler((problem, arguments) -> usageError(problem))
        .setExecutionExceptionHandler(new Failures())
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static List<Class<?>> verbs() {
    List<Class<?>> verbs = new ArrayList<>(VERBS);
    ServiceLoader.load(VerbProvider.class).forEach(provider -> verbs.addAll(provider.verbs()));
    verbs.add(Version.class);
    verbs.add(HelpCommand.class);
    verbs.add(GenerateCompletion.class);
    return verbs;
  }

  private static String nameOf(Class<?> verb) {
    return verb.getAnnotation(Command.class).name();
  }

  private static CommandSpec described(Class<?> verb) {
    Command annotation = verb.getAnnotation(Command.class);
    CommandSpec described = CommandSpec.create();
    described.usageMessage().header(annotation.header()).description(annotation.description());
    return described;
  }

  private static PrintWriter printable(PrintWriter out) {
    return new PrintWriter(new Printable(out), true);
  }

  /** Runs when no verb was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a command");
  }

  private static int usageError(ParameterException problem) {
    CommandLine commandLine = problem.getCommandLine();
    String name = commandLine.getCommandSpec().qualifiedName();
    String what = problem.getMessage().lines().findFirst().orElse("");
    commandLine
        .getErr()
        .println(name + ": " + what + suggestion(problem) + " (see " + name + " --help)");
    return commandLine.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Returns the verb or option that is spelled almost like the one that does not exist. */
  private static String suggestion(ParameterException problem) {
    CommandSpec command = problem.getCommandLine().getCommandSpec();
    if (!(problem instanceof UnmatchedArgumentException unmatched)) {
      boolean isVerbOfHelp = problem.getMessage().startsWith("Unknown subcommand");
      String verb = isVerbOfHelp ? problem.getValue() : "";
      String near = Nearest.suggestion(verb, command.subcommands().keySet());
      return verb.isEmpty() || near.isEmpty() ? "" : " " + near.strip();
    }
    String given = unmatched.getUnmatched().get(0);
    String near =
        Nearest.suggestion(
            given,
            unmatched.isUnknownOption()
                ? command.optionsMap().keySet()
                : command.subcommands().keySet());
    return near.isEmpty() ? "" : "; " + near.strip();
  }
}
