// Names of ports: old and new ones, those of other languages, and codes of UN/LOCODE, as officers
// and plants write them. The first name of a line stands for all, the last is the code, which shows
// the country. A name that isn't listed is compared as written.

const LINES = `
busan pusan krpus
incheon inchon krinc
gwangyang kwangyang krkan
ulsan krusn
singapore singapur singapour singapura jurong sgsin
shanghai cnsha
ningbo cnngb
qingdao tsingtao cntao
tianjin tientsin cntxg
dalian dairen cndlc
xiamen amoy cnxmn
guangzhou canton cncan
hong kong|hongkong|hkhkg
kaohsiung gaoxiong twkhh
keelung jilong chilung twkel
yokohama jpyok
kobe jpukb
nagoya jpngo
tokyo tokio jptyo
osaka jposa
ho chi minh|ho chi minh city|saigon|vnsgn
hai phong|haiphong|vnhph
manila manille phmnl
port klang|klang|port kelang|kelang|mypkg
tanjung pelepas|ptp|mytpp
penang|pulau pinang|george town penang|mypen
jakarta|tanjung priok|idjkt
yangon rangoon mmrgn
chattogram chittagong bdcgp
kolkata calcutta inccu
mumbai bombay inbom
nhava sheva|jawaharlal nehru|jnpt|innsa
chennai madras inmaa
kochi cochin incok
visakhapatnam|vizag|inviz
colombo lkcmb
jebel ali|mina jebel ali|aejea
fujairah aefjr
jeddah jiddah djedda sajed
durban zadur
cape town|kaapstad|le cap|ciudad del cabo|zacpt
alexandria alexandrie alejandria iskandariya egaly
port said|bur said|egpsd
suez|as suways|egsuz
algiers alger argel dzalg
tangier tanger tangiers matng
tanger med|tangier med|maptm
istanbul estambul constantinople trist
izmir smyrna trizm
piraeus pireas peiraias piree pireo grpir
thessaloniki salonica salonika grskg
constanta constantza constanza rocnd
odesa odessa uaods
novorossiysk novorossisk ruvvs
gdansk danzig plgdn
saint petersburg|st petersburg|sankt peterburg|ruled
gothenburg goteborg gotemburgo segot
copenhagen kobenhavn copenhague dkcph
hamburg hambourg hamburgo deham
bremerhaven debrv
rotterdam nlrtm
amsterdam nlams
vlissingen|flushing|nlvli
antwerp antwerpen anvers amberes beanr
ghent gent gand gante
dunkirk dunkerque dunquerque frdkk
le havre|havre|frleh
marseille marseilles marsella frmrs
fos|fos sur mer|frfos
london londres gblon
felixstowe gbfxt
lisbon lisboa lisbonne ptlis
porto oporto ptopo
la coruna|coruna|a coruna|corunna|eslcg
algeciras esalg
barcelona barcelone esbcn
valencia valence esvlc
genoa genova genes itgoa
leghorn livorno livourne itliv
naples napoli napoles itnap
venice venezia venise venecia itvce
trieste ittrs
taranto tarente ittar
new york|nueva york|usnyc
new orleans|nouvelle orleans|nueva orleans|usmsy
los angeles|la port|uslax
long beach|uslgb
houston ushou
savannah ussav
vancouver cavan
veracruz mxver
cartagena de indias|cartagena colombia|coctg
buenos aires|arbue
rio de janeiro|rio|brrio
santos brssz
callao pecll
valparaiso clvap
panama|panama city|ciudad de panama|papty
sydney ausyd
melbourne aumel
fremantle aufre
port hedland|auphe
`;

/** Countries and US states with their names, as officers write them beside a port's name. */
const AREAS = `
ae uae|united arab emirates
ar argentina|arg
au australia|aus
bd bangladesh
be belgium|belgique|belgica|bel
br brazil|brasil|bresil|bra
ca canada|can
cl chile|chl
cn china|prc|pr china|p r china|chn
co colombia|col
de germany|deutschland|allemagne|alemania|deu
dk denmark|dnk
eg egypt|egy
es spain|espana|espagne|esp
fr france|francia|fra
gb uk|united kingdom|great britain|england|scotland|wales|gbr
gr greece|grc
hk hong kong sar
id indonesia|idn
ie ireland|irl
in india|ind
it italy|italia|italie|ita
jp japan|jpn
kr korea|south korea|republic of korea|rep of korea|s korea|rok|kor
lk sri lanka
ma morocco|maroc|marruecos
mm myanmar
mx mexico|mex
my malaysia|mys
nl netherlands|the netherlands|holland|nld
no norway|nor
nz new zealand|nzl
om oman
pa panama
pe peru|per
ph philippines|phl
pk pakistan
pl poland|pol
pt portugal|prt
ro romania|rou
ru russia|rus
sa saudi arabia|ksa
se sweden|swe
sg singapore
tr turkey|turkiye|tur
tw taiwan
ua ukraine|ukr
us usa|u s a|united states|united states of america|america
us-ca california|ca
us-ga georgia|ga
us-la louisiana|la
us-nj new jersey|nj
us-ny ny
us-tx texas|tx
us-wa washington|wa
vn vietnam|viet nam|vnm
za south africa|zaf
`;

/** States of ports of the United States. */
const STATES: Readonly<Record<string, string>> = {
  ...{ "new york": "us-ny", "new orleans": "us-la", "los angeles": "us-ca" },
  ...{ "long beach": "us-ca", houston: "us-tx", savannah: "us-ga" },
};

const AREAS_NAMED: ReadonlyMap<string, readonly string[]> = namedAreas();

function namedAreas(): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const line of AREAS.trim().split("\n")) {
    const [code, ...rest] = line.split(" ");
    const names = rest.join(" ").split("|");
    for (const name of code.length === 2 ? [code, ...names] : names)
      named.set(name, [...(named.get(name) ?? []), code]);
  }
  return named;
}

/** Meanings of the name of a country or state (CA: Canada or California); null if it isn't one. */
export function areasNamed(name: string): readonly string[] | null {
  return AREAS_NAMED.get(name) ?? null;
}

const PORTS: readonly (readonly string[])[] = LINES.trim()
  .split("\n")
  .map((line) => line.split(line.includes("|") ? "|" : " "));

const NAMES: ReadonlyMap<string, string> = new Map(
  PORTS.flatMap((names) => names.map((name): [string, string] => [name, names[0]])),
);

const AREAS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  PORTS.map(([name, ...more]) => {
    const state = Object.hasOwn(STATES, name) ? [STATES[name]] : [];
    return [name, [...more.slice(-1).map((code) => code.slice(0, 2)), ...state]];
  }),
);

/** The name that stands for all names of a port; null if it isn't listed. */
export function portName(name: string): string | null {
  return NAMES.get(name) ?? null;
}

/** The country and state of a listed port; empty if it isn't listed. */
export function areasOf(port: string): readonly string[] {
  return AREAS_OF.get(port) ?? [];
}
