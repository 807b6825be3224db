"""Word lists of the note generator, most frequent first: a word's place in its list is its rank in Zipf's law."""

NOUNS = """
meeting plan project report review budget release customer server database schedule invoice deadline backup
deployment ticket migration design question decision contract feature team note draft test document password
router report summary account index query cache pipeline endpoint branch commit patch version build log alert
dashboard metric error timeout queue worker container cluster certificate token permission policy audit backlog
sprint roadmap proposal estimate agenda slide recording transcript interview candidate offer salary vacation
flight hotel train ticket passport visa luggage taxi airport station museum restaurant reservation dinner lunch
breakfast recipe kitchen oven sauce bread soup garlic tomato pepper onion cheese coffee tea wine bottle garden
fence roof window door boiler heater radiator plumber electrician neighbour landlord tenant rent mortgage loan
insurance claim tax refund receipt payment transfer balance pension savings broker share dividend currency
doctor dentist appointment prescription allergy vaccine headache knee shoulder sleep exercise run marathon
bicycle helmet tyre engine brake battery charger cable adapter keyboard monitor headset printer laptop phone
camera lens tripod photo album birthday wedding anniversary gift party guest invitation school teacher homework
exam lesson course lecture book chapter library novel poem song guitar piano concert rehearsal choir theatre
film episode podcast newsletter article essay thesis paper citation dataset experiment sample baseline model
training benchmark threshold parameter gradient vector matrix graph node edge tree hash key value string buffer
thread lock race crash leak profile trace span latency throughput bandwidth packet socket proxy gateway firewall
subnet domain record registrar webhook payload schema column row table trigger snapshot replica shard partition
tenant region zone bucket object folder archive checksum signature license vendor supplier warehouse shipment
parcel courier customs tariff factory prototype sensor motor valve pump turbine solder circuit resistor antenna
firmware bootloader kernel driver module package dependency compiler linker parser lexer grammar syntax macro
iterator closure trait enum struct interface callback promise future channel stream event listener observer
cat dog vet puppy kennel aquarium parrot forest river mountain trail tent campfire compass map lake harbour
sailing anchor ferry island beach storm thunder drought harvest orchard beehive honey vineyard barrel cellar
council election mayor petition permit zoning bridge tunnel tram timetable platform carriage conductor
""".split()

VERBS = """
check update move fix plan review write call ask finish start need change discuss agree confirm schedule book
order pay send receive share document test deploy release merge revert rename delete restore migrate upgrade
install configure enable disable monitor measure profile optimise refactor simplify replace extend remove add
postpone cancel approve reject assign escalate resolve reopen close track estimate prioritise delegate present
explain demonstrate record transcribe summarise translate edit publish print scan sign renew return refund
repair clean paint build assemble unpack deliver collect borrow lend donate sell compare negotiate recommend
propose decline accept invite welcome thank remind forget remember notice discover investigate debug reproduce
isolate verify validate audit encrypt rotate revoke archive compress export import synchronise index query
cook bake grill taste plant water harvest trim walk train rehearse practise study revise memorise teach
""".split()

ADJECTIVES = """
new old weekly final first next quick open main small large early late shared internal external public private
temporary permanent slow fast broken missing duplicate stale fresh clean empty full partial complete manual
automatic optional mandatory critical minor urgent quiet noisy cheap expensive simple complex stable flaky
reliable fragile secure insecure local remote regional global legacy experimental nightly monthly quarterly
annual recurring tentative confirmed unexpected strange obvious subtle careful rough detailed short long narrow
wide deep shallow warm cold hot dry wet bright dark heavy light green blue red yellow wooden metallic electric
digital analogue portable foldable refundable overdue unpaid signed anonymous redundant incremental nested
""".split()

ADVERBS = """
again today already finally quickly carefully quietly together twice later soon eventually mostly partly
properly manually automatically repeatedly temporarily reluctantly gladly overnight remotely briefly
""".split()

FIRST_NAMES = """
Maria Peter Sarah Tom Anna Jonas Lena David Priya Omar Chen Sofia Marco Julia Ahmed Nina Lukas Emma Carlos Ines
Yuki Fatima Pavel Greta Samuel Chloe Viktor Amara Hugo Leila Bjorn Rosa Kenji Marta Idris Paula Stefan Zoe Ravi
Helena Mateo Ingrid Tariq Bianca Oskar Noor Felix Clara Diego Miriam Anton Freya Jamal Elif Ruben Tessa Kofi Alma
""".split()

LAST_NAMES = """
Keller Novak Silva Okafor Lindgren Moreau Rossi Tanaka Haddad Petrov Weber Ferrari Nakamura Osei Larsen Dubois
Almeida Kowalski Virtanen Mendes Brandt Costa Yilmaz Sharma Iyer Castillo Bauer Horvath Popescu Andersen Fontaine
Marchetti Sato Rahman Jensen Vogel Pereira Nowak Eriksson Lambert Greco Ito Farouk Volkov Schubert Duarte Aydin
""".split()

PROJECTS = """
Atlas Falcon Nimbus Juniper Beacon Harbor Quartz Meridian Lantern Orchid Tundra Cobalt Saffron Pelican Granite
Aurora Bramble Cascade Delphi Ember Fjord Glacier Heron Isthmus Jasper Kestrel Lagoon Monsoon Nectar Obsidian
""".split()

TOOLS = """
Postgres Redis Docker Kubernetes Terraform Grafana Nginx Kafka Python Rust TypeScript SQLite Ansible Prometheus
Jenkins Elasticsearch RabbitMQ Vault Consul Figma Notion Slack Jira Obsidian Homebrew Debian Ubuntu Raspberry
""".split()

PLACES = """
Berlin Lisbon Zurich Vienna Oslo Madrid Porto Prague Dublin Helsinki Kyoto Toronto Nairobi Lima Seoul Athens Bergen
Krakow Ghent Valencia Tallinn Bologna Leipzig Utrecht Malmo Galway Osaka Montreal Accra Bogota Tbilisi Hobart
""".split()

SYLLABLES = "ba ke lo mi nu ra se ti vo za bri cla dre fro gli kan mor nel pur sta tor vel win xan yor zel".split()
